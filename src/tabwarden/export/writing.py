"""Helpers for all scripts: literals, key names and the docstring."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from tabwarden.export.steps import Plan, Secret

WIDTH = 100
_MODIFIERS = {"ctrl": "Control", "control": "Control", "alt": "Alt", "shift": "Shift",
              "meta": "Meta", "cmd": "Meta", "command": "Meta"}  # fmt: skip


def literal(value: Any) -> str:
    """Return a value as Python code, with secrets as lookups of environment variables."""
    if isinstance(value, Secret):
        parts = [value.before and text_literal(value.before), f'os.environ["{value.variable}"]',
                 value.after and text_literal(value.after)]  # fmt: skip
        return " + ".join(filter(None, parts))
    if isinstance(value, str):
        return text_literal(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, float) and value.is_integer():
        return repr(int(value))
    return repr(value)


def text_literal(text: str) -> str:
    """Return text as a Python string literal on one line. Choose the quotes that need the least
    escaping."""
    quoted = repr(text)
    if quoted[0] == '"' or '"' in text:
        return quoted
    return '"' + quoted[1:-1] + '"'


def call(function: str, *positional: str, **named: str) -> str:
    """Return a call with these arguments. The arguments are Python code."""
    return (
        f"{function}({', '.join([*positional, *(f'{name}={one}' for name, one in named.items())])})"
    )


def made_variable(name: str) -> str:
    """Return the variable for a route or script that a step added: ``ro_1`` for ``ro-1``."""
    return re.sub(r"\W", "_", name)


def modifier(name: str) -> str:
    return _MODIFIERS.get(name.lower(), name)


def doc(plan: Plan, run: Sequence[str]) -> list[str]:
    """Return the lines of a script's docstring."""
    title = " ".join(plan.title.split()).replace("\\", "/").replace('"', "'")
    lines = [f'"""Recorded with Tabwarden{f": {title[:70]}" if title else ""}.', "", *run]
    if plan.secrets:
        lines += ["", "Set these environment variables first: " + ", ".join(plan.secrets) + "."]
    return [*lines, '"""', ""]


def indented(lines: Iterable[str], by: int = 1) -> list[str]:
    return ["    " * by + line if line else "" for line in lines]


def joined(lines: Iterable[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"
