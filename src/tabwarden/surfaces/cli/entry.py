"""The program ``tabwarden``. It runs action commands without Click, if possible in the session's
daemon (``warm``), and all other commands with Click.
"""

from __future__ import annotations

import os
import sys

_INTERRUPTED = 130
_NOT_STDIO = ("--help", "-h", "--http", "--setup")
"""Options with which ``mcp`` does not serve a host on stdin and stdout."""


def main() -> None:
    try:
        _run()
    except KeyboardInterrupt:  # the command has not started, so it has nothing to report
        sys.exit(_INTERRUPTED)


def _run() -> None:
    words = sys.argv[1:] = _command_first(sys.argv[1:])
    if words[:2] == ["cookies", "import"]:  # a command for people, not an action
        words = sys.argv[1:] = ["import-cookies", *words[2:]]
    if words[:1] in (["help"], ["version"]):
        words = sys.argv[1:] = [*words[1:], f"--{words[0]}"]
    if words[:1] == ["mcp"] and not any(word.startswith(_NOT_STDIO) for word in words):
        from tabwarden.surfaces.mcp.front import the_front

        the_front()  # answers the host while everything else is imported
    # A shell requests completion with a variable. A first word with a dash is an option of the
    # program itself.
    if words and not words[0].startswith("-") and "_TABWARDEN_COMPLETE" not in os.environ:
        from tabwarden.surfaces.cli.warm import run_warm

        status = run_warm(words)
        if status is not None:
            os._exit(status)  # everything is written, and Python's own exit takes 2 ms
        from tabwarden.surfaces.command_table import table
        from tabwarden.surfaces.command_table.line import action_in

        commands = table()
        action = action_in(words, commands)
        if action is not None:
            from tabwarden.surfaces.cli.act import act

            sys.exit(act(*action, commands))
    from tabwarden.surfaces.cli.group import main as group

    group()


def _command_first(words: list[str]) -> list[str]:
    """Move ``--session NAME`` and ``--json`` after the command. Users may write these options
    before the command.
    """
    at = 0
    while at < len(words) and (
        words[at] in ("--json", "--session") or words[at].startswith("--session=")
    ):
        at += 2 if words[at] == "--session" else 1
    return [*words[at : at + 1], *words[:at], *words[at + 1 :]]
