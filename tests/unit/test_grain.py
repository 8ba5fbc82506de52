"""Size limits of modules and folders."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import tabwarden

SOURCE = Path(tabwarden.__file__).parent
LINES = 600
MODULES = 20
GENERATED = ("protocol/", "sync/", "browser/methods.py")


def hand_written() -> list[Path]:
    names = (path.relative_to(SOURCE) for path in SOURCE.rglob("*.py"))
    return [name for name in names if not name.as_posix().startswith(GENERATED)]


def test_modules_do_not_exceed_the_line_limit() -> None:
    lines = {
        name.as_posix(): len((SOURCE / name).read_text("utf-8").splitlines())
        for name in hand_written()
    }
    assert {name: count for name, count in lines.items() if count > LINES} == {}


def test_folders_do_not_exceed_the_module_limit() -> None:
    modules = Counter(name.parent.as_posix() for name in hand_written())
    assert {name: count for name, count in modules.items() if count > MODULES} == {}
