"""The action commands: their generated table (``commands.json``), the words of a command line, and
what it prints.

The command-line client, its daemon and the doctor use the table instead of importing the registry
of actions. ``tools/generate_commands.py`` generates it.

To change:

- what a command line means: ``arguments.py``, ``steps.py``; what a command prints: ``line.py``
- the error for another product's command: ``peers.py``; ``docs/switching.md`` has the
  tables, and ``judges/switching/trials/`` the trials
- the error for another product's option: ``peers.py``
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tabwarden.surfaces.command_table.types import Table

__all__ = ["build_and_words", "command_named", "table"]

_FILE = os.path.join(os.path.dirname(__file__), "commands.json")


def build_and_words() -> tuple[str, list[str]]:
    """Return the build, and the names and aliases of the commands that are always actions. This
    reads only the first lines of the file, without ``json``, because importing ``json`` takes
    longer than a command.
    """
    with open(_FILE, encoding="utf-8") as file:
        _, build, words = (file.readline() for _ in range(3))
    return build.split('"')[3], words.split('"')[3].split()


def table() -> Table:
    import json

    with open(_FILE, encoding="utf-8") as file:
        read: Table = json.load(file)
    return read


def command_named(word: str, commands: Table) -> str | None:
    """Return the name of the action command for ``word``: the command's name, an alias, or the name
    of its tool (``browser_dialog``).
    """
    if word.startswith("browser_"):
        tools = {command["tool"]: name for name, command in commands["commands"].items()}
        return tools.get(word)
    name = commands["aliases"].get(word, word)
    return name if name in commands["commands"] else None
