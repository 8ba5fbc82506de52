"""Hints: convert a suggested call to a command line."""

from __future__ import annotations

import shlex

from tabwarden.hints import Next
from tabwarden.surfaces.command_table import command_named, table


def command(step: Next) -> str:
    """Return the command for the call ``step``; ``""`` if no command makes this call."""
    commands = table()
    name = command_named(f"browser_{step.action}", commands)
    if name is None:
        return ""
    words = ["tabwarden", name]
    first = commands["commands"][name]["places"][""][:1]
    for option in commands["commands"][name]["options"]:
        value = step.arguments.get(option["name"])
        bare = option.get("required") and first == [option["name"]]
        flag = [] if bare else [option["flags"][-1]]
        if value is True:
            words += flag
        elif value is not None:
            for one in value if isinstance(value, list) else [value]:
                words += [*flag, shlex.quote(str(one))]
    return f"`{' '.join(words)}`"
