"""Hidden: what a trace has in place of secrets, and the environment variables that stand for it."""

from __future__ import annotations

import re
from typing import Any

from tabwarden.export.steps import Secret, Target

HIDDEN = re.compile(r"\(secret(?: (\w+))?\)|\{\{([A-Z][A-Z0-9_]*)\}\}|(?<==)…")
"""What a trace has in place of a secret: of any text, and of a parameter of a URL."""


def variables_in(value: Any, target: Target | None, key: str = "") -> Any:
    """Replace what the trace hides with the environment variable that has it."""
    if isinstance(value, str) and (found := HIDDEN.search(value)):
        name = found[1] or found[2] or key or (_name_of(target) if target is not None else "")
        variable = re.sub(r"\W+", "_", name.upper(), flags=re.A).strip("_")
        if not variable or variable[0].isdigit():
            variable = "SECRET"
        return Secret(variable, value[: found.start()], value[found.end() :])
    if isinstance(value, dict):
        return {key: variables_in(one, target, key) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [variables_in(one, target) for one in value]
    return value


def _name_of(target: Target) -> str:
    """Return an element's name, or else what its selector ends with: ``#password``."""
    last = target.locators[0].get("css", "") if target.locators else ""
    return target.name or re.split(r"[ >]+", last)[-1]
