"""Run an action as a command: send its arguments to the daemon and print the result.

If the daemon is already running, this module imports neither the engine nor Click.
"""

from __future__ import annotations

import sys

from tabwarden.errors import TabwardenError
from tabwarden.surfaces.cli.output import note, show_answer, show_cancelled, show_error
from tabwarden.surfaces.command_table.line import Line
from tabwarden.surfaces.daemon.call import Caller
from tabwarden.surfaces.daemon.paths import SessionPaths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tabwarden.surfaces.cli.progress import Waiting
    from tabwarden.surfaces.command_table.types import Table


def act(name: str, words: list[str], commands: Table) -> int:
    """Run the action command ``name`` with the arguments ``words``. Return the exit status."""
    as_json = "--json" in words
    try:
        line = Line(name, words, commands)
        command, parsed = line.command, line.parsed
        files = None
        if line.uses_files:
            from tabwarden.surfaces.cli.given_files import GivenFiles

            files = GivenFiles(command, parsed.arguments, commands)
        picture = None
        if line.saves_screenshot:
            from tabwarden.surfaces.cli.given_files import PictureFile

            picture = PictureFile(parsed.file, parsed.arguments)
        looks = not as_json and sys.stderr is not None and sys.stderr.isatty()
        screen = _Screen()
        caller = Caller(
            SessionPaths(parsed.session),
            commands["build"],
            note,
            screen.show if looks else None,
        )
        try:
            answer = caller.call(
                command["tool"],
                parsed.arguments,
                starts=line.starts,
                launch=parsed.launch,
                flags=parsed.flags,
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
    return 0 if answer.get("written") else show_answer(answer, as_json=as_json)


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
