"""A command that is an action: its words in, the daemon's answer out.

What a warm command runs is here and in what this imports: nothing of the engine, and not click.
"""

from __future__ import annotations

import json
import os
import sys

from tabwarden.errors import TabwardenError
from tabwarden.surfaces.cli.arguments import parsed
from tabwarden.surfaces.cli.exits import exit_code
from tabwarden.surfaces.cli.wording import in_commands
from tabwarden.surfaces.daemon.call import Caller
from tabwarden.surfaces.daemon.places import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

    from tabwarden.surfaces.cli.shapes import Table
    from tabwarden.surfaces.cli.waiting import Waiting

__all__ = ["act", "show_error", "told"]

_INTERRUPTED = 130


def told(message: str) -> None:
    """Say a word about the daemon: on stderr, as stdout is for results."""
    _write(sys.stderr, f"tabwarden: {message}")


def act(name: str, words: list[str], commands: Table) -> int:
    """Run an action's command.

    Args:
        name: the command's. words: what came after it. commands: all of them.

    Returns:
        The exit status.
    """
    command = commands["commands"][name]
    as_json = "--json" in words
    try:
        given = parsed(name, command, words)
        picture = None
        if any(option["name"] == "file" for option in command["options"]):
            from tabwarden.surfaces.cli.pictures import Picture

            picture = Picture(given.file, given.arguments)
        looks = not as_json and sys.stderr is not None and sys.stderr.isatty()
        screen = _Screen()
        caller = Caller(
            Place(given.session), commands["build"], told, screen.show if looks else None
        )
        try:
            answer = caller.call(
                command["tool"], given.arguments, starts=command["starts"], launch=given.launch
            )
        finally:
            screen.end()
        if picture is not None and "picture" in answer:
            answer = picture.kept(answer)
    except TabwardenError as error:
        return show_error(error.to_dict(), as_json=as_json)
    except KeyboardInterrupt:
        _write(sys.stderr, "cancelled")
        return _INTERRUPTED
    if answer["is_error"]:
        return show_error(answer["data"]["error"], as_json=as_json, words=answer["text"])
    if not answer.get("written"):
        said = _dumped(answer["data"]) if as_json else in_commands(answer["text"])
        _write(sys.stdout, said)
    return 0


class _Screen:
    """Where a person sees what a command waits for; nothing is imported for one that is quick."""

    def __init__(self) -> None:
        self._waiting: Waiting | None = None

    def show(self, progress: dict[str, Any]) -> None:
        """How far the call is."""
        if self._waiting is None:
            from tabwarden.surfaces.cli.waiting import Waiting

            self._waiting = Waiting()
        self._waiting.show(progress)

    def end(self) -> None:
        """The answer is there."""
        if self._waiting is not None:
            self._waiting.end()


def show_error(error: dict[str, Any], *, as_json: bool, words: str | None = None) -> int:
    """Show an error: as JSON on stdout, else in words on stderr.

    Args:
        error: ``{code, message, hint, data}``.
        words: as a model reads it, if somebody put it so.

    Returns:
        The exit status.
    """
    if as_json:
        _write(sys.stdout, _dumped({"error": error}))
    else:
        lines = [f"error {error['code']}: {error['message']}", error["hint"]]
        words = words or "\n".join(line for line in lines if line)
        _write(sys.stderr, in_commands(words))
    return exit_code(error["code"])


def _dumped(data: object) -> str:
    indent = 2 if sys.stdout is not None and sys.stdout.isatty() else None
    return json.dumps(data, indent=indent, ensure_ascii=False)


def _write(stream: TextIO | None, text: str) -> None:
    """Write lines: what an encoding lacks is replaced, and a reader may be gone."""
    if stream is None:  # closed by whoever started us
        return
    if stream.isatty():
        from tabwarden.surfaces.cli.terminal import harmless

        text = harmless(text)
    try:
        stream.buffer.write(f"{text}\n".encode(errors="replace"))
        stream.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
