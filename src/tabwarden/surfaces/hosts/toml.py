"""Read TOML, and change one table in it. All other lines stay unchanged."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

__all__ = ["dumped", "parse", "with_entry"]

_BARE = re.compile(r"[\w-]+")


def parse(text: str) -> dict[str, Any]:
    """Return the values in TOML text.

    Raises:
        ValueError: the text is not valid TOML. The message contains the line number.
    """
    return tomllib.loads(text)


def with_entry(text: str, section: str, name: str, entry: Mapping[str, Any]) -> str:
    """Return ``text`` with the values in ``entry`` set in the table ``[section.name]``. Other keys
    in the table are kept. The result may be wrong if the text defines the table with other syntax,
    so parse the result and compare the values.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines()
    header = re.compile(rf"\s*\[\s*{re.escape(section)}\s*\.\s*([\"']?){re.escape(name)}\1\s*\]")
    begin = next((i for i, line in enumerate(lines) if header.match(line)), None)
    ours = _assignments(entry)
    if begin is None:
        gap = [""] if lines and lines[-1].strip() else []
        made = [*lines, *gap, f"[{section}.{name}]", *ours]
    else:
        made = [*lines[: begin + 1], *ours, *_without(lines[begin + 1 :], entry)]
    return newline.join([*made, ""])


def dumped(section: str, name: str, entry: Mapping[str, Any]) -> str:
    """Return the table as TOML text."""
    return "\n".join([f"[{section}.{name}]", *_assignments(entry)])


def _assignments(entry: Mapping[str, Any]) -> list[str]:
    # TOML and JSON have the same syntax for strings, lists of strings, numbers and booleans.
    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]


def _without(lines: list[str], keys: Mapping[str, Any]) -> list[str]:
    """Return the lines without the assignments to these keys. Only assignments before the next
    table are removed.
    """
    kept: list[str] = []
    at = 0
    while at < len(lines) and not lines[at].lstrip().startswith("["):
        end = _end_of_assignment(lines, at)
        key = lines[at].partition("=")[0].strip().strip("\"'")
        if not (_BARE.fullmatch(key) and key in keys):
            kept += lines[at:end]
        at = end
    return kept + lines[at:]


def _end_of_assignment(lines: list[str], begin: int) -> int:
    """Return the index of the line after an assignment. The assignment of a list or a long string
    may have several lines.
    """
    for end in range(begin + 1, len(lines) + 1):
        try:
            tomllib.loads("\n".join(lines[begin:end]))
        except tomllib.TOMLDecodeError:
            continue
        return end
    return begin + 1
