"""Run an action as a command: send its arguments to the daemon and print the result.

If the daemon is already running, this module imports neither the engine nor Click.
"""

from __future__ import annotations

import sys

from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.surfaces.cli.client.arguments import Given, parsed
from tabwarden.surfaces.cli.output import note, show_answer, show_cancelled, show_error
from tabwarden.surfaces.daemon.call import Caller
from tabwarden.surfaces.daemon.paths import SessionPaths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tabwarden.surfaces.cli.progress import Waiting
    from tabwarden.surfaces.command_table.types import Command, Table


def act(name: str, words: list[str], commands: Table) -> int:
    """Run the action command ``name`` with the arguments ``words``. Return the exit status."""
    command = commands["commands"][name]
    as_json = "--json" in words
    try:
        line = _parsed(name, command, words)
        starts = command["starts"]
        if any("lines" in option for option in command["options"]):
            from tabwarden.surfaces.cli.client.steps import starts_of, steps_of

            steps = steps_of(line.arguments.get("steps"), commands)
            line.arguments["steps"], starts = steps, starts_of(steps, commands)
        files = None
        if any(
            "lines" in one
            or (one["name"] in line.arguments and ("reads" in one or "writes" in one))
            for one in command["options"]
        ):
            from tabwarden.surfaces.cli.given_files import GivenFiles

            files = GivenFiles(command, line.arguments, commands)
        picture = None
        if any(option["name"] == "file" for option in command["options"]):
            from tabwarden.surfaces.cli.given_files import PictureFile

            picture = PictureFile(line.file, line.arguments)
        looks = not as_json and sys.stderr is not None and sys.stderr.isatty()
        screen = _Screen()
        caller = Caller(
            SessionPaths(line.session),
            commands["build"],
            note,
            screen.show if looks else None,
        )
        try:
            answer = caller.call(
                command["tool"],
                line.arguments,
                starts=starts,
                launch=line.launch,
                flags=line.flags,
                shows=not as_json,
                hand_over=None if files is None else files.hand_over,
            )
        finally:
            screen.end()
        if picture is not None and "picture" in answer:
            answer = picture.kept(answer)
        if files is not None:
            answer = files.kept(answer)
    except TabwardenError as error:
        return show_error(error.to_dict(), as_json=as_json)
    except KeyboardInterrupt:
        return show_cancelled()
    if answer["is_error"]:
        return show_error(answer["data"]["error"], as_json=as_json, words=answer["text"])
    if not answer.get("written"):
        show_answer(answer, as_json=as_json)
    return 0


def _parsed(name: str, command: Command, words: list[str]) -> Given:
    """Parse a command line. For another tool's command, the hint of the error contains Tabwarden's
    command.
    """
    try:
        return parsed(name, command, words)
    except InvalidArgument as error:
        from tabwarden.surfaces.cli.client.peers import our_line_for

        if (ours := our_line_for([name, *words])) is not None:
            error.hint = f"Use this command: tabwarden {ours}"
        raise


class _Screen:
    """Shows a command's progress. Imports the progress bar only when it is needed."""

    def __init__(self) -> None:
        self._waiting: Waiting | None = None

    def show(self, progress: dict[str, Any]) -> None:
        if self._waiting is None:
            from tabwarden.surfaces.cli.progress import Waiting

            self._waiting = Waiting()
        self._waiting.show(progress)

    def end(self) -> None:
        if self._waiting is not None:
            self._waiting.end()
