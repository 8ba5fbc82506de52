"""Generate ``browser/methods.py`` and ``config/action_names.py`` from the actions.

A card decorates the function that runs the action (``page/task/card.py``). The method has the
function's parameters, and those that all actions share. ``--check`` fails if the file is stale.
"""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import textwrap
import typing
from pathlib import Path

from generated import write_or_check

from tabwarden.page.task import CARDS, PYTHON_ONLY, ActionResult, Card, parameters_of

PACKAGE = Path(__file__).parent.parent / "src/tabwarden"
METHODS = PACKAGE / "browser/methods.py"
PLACES = ("page", "recording")
"""Where cards stand: below ``browser/``."""
NAMES = PACKAGE / "config/action_names.py"
HEAD = '''"""The methods of ``Browser`` that are actions with a card.

Generated from the cards (``page/task/card.py``) by tools/generate_methods.py: do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from tabwarden import results
from tabwarden.browser.base import BrowserBase
from tabwarden.budget import Timeout
from tabwarden.journal import journaled
from tabwarden.page import ActionResult, Screenshot, Snapshot
from tabwarden.page.snapshot import Show
MODULES

class ActionMethods(BrowserBase):
    """The actions."""
'''


def find_cards() -> list[str]:
    """Import every module that has a card. Return the lines that import them."""
    lines = []
    for path in sorted(one for name in PLACES for one in (PACKAGE / name).rglob("*.py")):
        if re.search(r"^@card\(", path.read_text("utf-8"), re.M):
            package, _, module = ".".join(
                path.relative_to(PACKAGE).with_suffix("").parts
            ).rpartition(".")
            importlib.import_module(f"tabwarden.{package}.{module}")
            lines.append(f"from tabwarden.{package} import {module}\n")
    return lines


def method(card: Card) -> str:
    """Return the text of a card's method."""
    types = typing.get_type_hints(card.run)
    fields = parameters_of(card.run)
    lines: list[str] = []
    named = False
    for name, field in fields.items():
        if not field.positional and not named:
            lines, named = [*lines, "*"], True
        default = "" if field.default is ... else f" = {field.default!r}"
        lines.append(f"{name}: {written(types[name])}{default}")
    if not named:
        lines.append("*")
    shared = {
        "snapshot": ('Show = "none"', card.shows),
        "tab_id": ("str | None = None", card.of_tab),
        "timeout_ms": ("Timeout = None", True),
    }
    common = [name for name, (_, is_here) in shared.items() if is_here]
    lines += [f"{name}: {shared[name][0]}" for name in common]
    run = f"{card.run.__module__.rpartition('.')[2]}.{card.run.__name__}"
    arguments = ", ".join(f'"{name}": {name}' for name in fields)
    tab = "tab_id" if card.of_tab else "None"
    shows = ", snapshot" if card.shows else ""
    text = [
        "@journaled",
        f"async def {card.method}(self, {', '.join(lines)}) -> {returns(card)}:",
        textwrap.indent(f'"""{documented(card, common)}"""', "    "),
        f"    return await self._run({run}, {{{arguments}}}, {tab}, timeout_ms{shows})",
    ]
    return "\n" + textwrap.indent("\n".join(text), "    ") + "\n"


def documented(card: Card, common: list[str]) -> str:
    """Return a method's docstring: the function's, and the parameters that actions share."""
    text = inspect.cleandoc(card.run.__doc__ or "")
    common = [name for name in common if f"    {name}:" not in text]
    line = f"    {', '.join(common)}: see ``Browser``.\n" if common else ""
    before, raises, after = text.partition("\n\nRaises:")
    if "\nArgs:\n" not in before:
        before += "\n\nArgs:"
    return f"{before}\n{line}{raises.removeprefix(chr(10))}{after}\n"


def returns(card: Card) -> str:
    """Return the method's return type."""
    if card.answer is not None or card.is_whole:
        hint = typing.get_type_hints(card.answer or card.run)["return"]
        if not (card.is_whole and hint is ActionResult):
            return written(hint)
    return f"ActionResult[{gives(card)}]"


def gives(card: Card) -> str:
    """Return the type of the result's value."""
    fields = parameters_of(card.run).values()
    for_python = any(PYTHON_ONLY in getattr(one.annotation, "__metadata__", ()) for one in fields)
    if isinstance(card.gives, tuple) or for_python:  # it depends on the arguments
        return "Any"
    return "None" if card.gives is None else written(card.gives)


def written(kind: object) -> str:
    """Return a type as source code."""
    text = kind.__name__ if isinstance(kind, type) and not typing.get_args(kind) else repr(kind)
    if getattr(kind, "__module__", "") == "tabwarden.results" and isinstance(kind, type):
        text = f"results.{text}"
    text = re.sub(r"\b(typing|collections\.abc|pathlib|tabwarden)\.", "", text).replace(
        "NoneType", "None"
    )
    return re.sub(r"^Optional\[(.*)\]$", r"\1 | None", text)


def names() -> str:
    """Return the file with the names of all actions."""
    from tabwarden.actions import ACTIONS  # after the cards

    names = sorted({"goto", *(action.name for action in ACTIONS.values())})
    text = NAMES.read_text("utf-8")
    return formatted(
        re.sub(r"Literal\[.*?\]", f"Literal[{', '.join(map(repr, names))}]", text, flags=re.S),
        NAMES,
    )


def methods() -> str:
    """Return the file with the methods."""
    text = HEAD.replace("MODULES", "".join(find_cards()))
    text += "".join(method(card) for card in sorted(CARDS.values(), key=lambda card: card.method))
    return formatted(text, METHODS)


def formatted(text: str, path: Path) -> str:
    """Return source code as formatted by ruff."""
    for command in (["check", "--fix", "--select", "I,F401"], ["format"]):
        text = subprocess.run(
            ["ruff", *command, "--quiet", "--stdin-filename", str(path), "-"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    return text


def main() -> None:
    """Write the files, or check them."""
    write_or_check(METHODS, methods())
    write_or_check(NAMES, names())


if __name__ == "__main__":
    main()
