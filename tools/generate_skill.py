"""Generate ``surfaces/hosts/SKILL.md``, which explains to an agent with a shell how to use
Tabwarden.

The commands come from the registry of actions. ``--check`` fails if the file is stale.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from generated import write_or_check

from tabwarden.surfaces.command_table import table
from tabwarden.surfaces.command_table.types import Command

ROOT = Path(__file__).parent.parent
FILE = ROOT / "src/tabwarden/surfaces/hosts/SKILL.md"

BODY = Path(__file__).with_name("skill.md")
"""The text that does not depend on the registry."""


def text() -> str:
    """The file's."""
    body = BODY.read_text("utf-8")
    shown = set(re.findall(r"(?:(?<=tabwarden )|(?<=[`']))[a-z][a-z-]*", body))
    commands = table()["commands"]
    aliases = {name: alias for alias, name in table()["aliases"].items()}
    lines = [
        f"- `{' '.join(_usage(name, command))}`: {_sentence(command['help'])}"
        for name, command in commands.items()
        if not {name, aliases.get(name)} & shown
    ]
    return body + "\n".join(lines) + "\n"


def _usage(name: str, command: Command) -> Iterator[str]:
    yield name
    options = {option["name"]: option for option in command["options"]}
    has_modes = len(command["places"]) > 1
    if has_modes:
        yield "|".join(options["mode"]["choices"])
    for place in command["places"][""]:
        if not (has_modes and place == "mode"):
            word = place.upper().replace("_", "-")
            yield word if options[place].get("required") else f"[{word}]"


def _sentence(words: str) -> str:
    """Return the first sentence on one line."""
    first = re.split(r"(?<=\w[.:])\s+(?=[A-Z])|\n\n", words)[0].replace("\n", " ")
    return re.sub(r"(?<!\.)\.$", "", first)


if __name__ == "__main__":
    write_or_check(FILE, text())
