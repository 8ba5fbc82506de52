"""The walker's files are one script: a name that two of them declare would stop every frame's."""

from __future__ import annotations

import re
from collections import Counter

from tabwarden.page.worlds import walker_source

DECLARED = re.compile(
    r"^(?:const|let|var|function|async function|class)\s+(?:(\w+)|\{([^}]*)\})", re.MULTILINE
)


def test_each_name_is_declared_once() -> None:
    names: Counter[str] = Counter()
    for name, several in DECLARED.findall(walker_source()):
        names.update([name] if name else re.findall(r"(\w+)(?=\s*[,}]|$)", several.strip()))
    assert len(names) > 100
    assert {name for name, count in names.items() if count > 1} == set()
