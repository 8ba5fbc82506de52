"""The threats that ``docs/security.md`` lists, and the tests of each."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["threats"]

_PAGE = Path(__file__).parents[2] / "docs/security.md"
_ROW = re.compile(r"^\| (?!threat \||-)(.+) \| (.+) \| (.+) \|$", re.MULTILINE)
_TEST = re.compile(r"`(tests/[\w/]+\.py::\w+)`")


def threats() -> dict[str, set[str]]:
    """Each threat in the page's tables, with the names of its tests."""
    rows = _ROW.findall(_PAGE.read_text("utf-8"))
    return {threat: set(_TEST.findall(tests)) for threat, _, tests in rows}
