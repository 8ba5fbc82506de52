"""Wording: where our words name a tool, the command that does the same."""

from __future__ import annotations

from tabwarden.surfaces.cli.options import table

__all__ = ["in_commands"]


def in_commands(text: str) -> str:
    """A text of ours as a shell user reads it."""
    if "browser_" not in text:
        return text
    from tabwarden.surfaces.wording import renamed

    names = {command["tool"]: name for name, command in table()["commands"].items()}

    def say(tool: str, arguments: str) -> str | None:
        return f"tabwarden {names[tool]}{_options(arguments)}" if tool in names else None

    return renamed(text, say)


def _options(arguments: str) -> str:
    """``(mode='close', tab_id='t2')`` as options; what is said beside a value stays beside it."""
    said = ""
    for argument in filter(None, arguments[1:-1].split(", ")):
        key, _, value = argument.partition("=")
        value, _, why = value.partition(" for ")
        value = value.replace("' or '", "|").strip("'\"")
        said += f" --{key.replace('_', '-')}"
        said += "" if value == "true" else f" {value}"
        said += f" (for {why})" if why else ""
    return said
