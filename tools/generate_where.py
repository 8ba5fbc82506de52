"""Generate docs/where.md, which lists the files to change for each purpose, from the packages'
docstrings.

A package's docstring ends with a list "To change:". Each item has a subject, a colon, and the
files, as paths relative to the package, to ``src/tabwarden`` or to the repository.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from generated import write_or_check

from tabwarden.actions import ACTIONS
from tabwarden.page.task import CARDS

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "tabwarden"
PAGE = ROOT / "docs" / "where.md"
HEAD = """# Where to change what

`make generate` writes this page from the docstrings of the packages ("To change:").
ARCHITECTURE.md has the overview. Paths without a folder above them are below `src/tabwarden/`.
"""
_PATH = re.compile(r"``([\w./-]+(?:/|\.(?:py|js|md|toml|json)))``")


class Row(NamedTuple):
    """One item of a list "To change:"."""

    module: Path
    what: str
    where: str

    def paths(self) -> Iterator[tuple[str, Path | None]]:
        """Yield each path that the row names, with the file. None: the file does not exist."""
        for named in _PATH.findall(self.where):
            tops = (self.module.parent, SOURCE, ROOT)
            yield named, next((top / named for top in tops if (top / named).exists()), None)

    def markdown(self) -> str:
        where = self.where
        for named, path in self.paths():
            if path is not None:
                full = path.relative_to(SOURCE if path.is_relative_to(SOURCE) else ROOT).as_posix()
                full += "/" if named.endswith("/") else ""
                where = where.replace(f"``{named}``", f"`{full}`")
        return f"| {self.what} | {where} |".replace("``", "`")


def rows() -> list[Row]:
    """Return the items from all packages and top-level modules."""
    modules = [*SOURCE.glob("*.py"), *SOURCE.rglob("*/__init__.py")]
    return [row for module in sorted(modules) for row in _rows_of(module)]


def _rows_of(module: Path) -> Iterator[Row]:
    text = ast.get_docstring(ast.parse(module.read_text("utf-8"))) or ""
    listed = text.partition("To change:\n")[2]
    for item in re.split(r"(?:^|\n)- ", listed.strip())[1:]:
        what, _, where = " ".join(item.split()).partition(": ")
        yield Row(module, what, where)


def page() -> str:
    """Return the page's text: a table per top package."""
    parts: dict[str, list[str]] = {}
    for row in rows():
        top = row.module.relative_to(SOURCE).parts[0].removesuffix(".py")
        name = "Outside the packages" if top == "__init__" else top
        parts.setdefault(name, []).append(row.markdown())
    tables = [
        f"## {name}\n\n| to change ... | look in |\n|---|---|\n" + "\n".join(lines) + "\n"
        for name, lines in parts.items()
    ]
    return "\n".join([HEAD, *tables, _actions()])


def _actions() -> str:
    """Return a table of the actions and the functions with their cards."""
    lines = []
    for action in sorted(ACTIONS.values(), key=lambda action: action.tool):
        cards = [card for card in CARDS.values() if card.name == action.name]
        modules = sorted({card.run.__module__ for card in cards})
        files = [f"{module.partition('.')[2].replace('.', '/')}.py" for module in modules]
        shown = ", ".join(f"`{file}`" for file in files) or "`actions/definitions/`"
        lines.append(f"| `{action.tool.removeprefix('browser_')}` | {shown} |")
    return "## Actions\n\n| action | its function and card |\n|---|---|\n" + "\n".join(lines) + "\n"


if __name__ == "__main__":
    write_or_check(PAGE, page())
