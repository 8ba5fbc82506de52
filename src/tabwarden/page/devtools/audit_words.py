"""Audit words: violations as sentences. All text of the page is in quotes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabwarden.page.text import quoted, shortened, token

IMPACTS = ("critical", "serious", "moderate", "minor")
"""The worst first."""
_NAMED = 8
"""How many elements of a rule a sentence names."""
_LONGEST_WHY = 200


def findings(value: Mapping[str, Any]) -> list[str]:
    """Return one line per rule that the page violates, with the elements' refs below it.

    Args:
        value: see ``results.Audit``.
    """
    lines = []
    for rule in value["violations"]:
        lines.append(f"{rule['impact']}: {rule['id']}, {quoted(rule['help'])} ({rule['count']}):")
        lines += [_node(one) for one in rule["nodes"][:_NAMED]]
        if rule["count"] > _NAMED:
            lines.append(f"- {rule['count'] - _NAMED} more")
    if value["left_out"]:
        lines.append(f"{value['left_out']} more rules are violated: raise max")
    lines += [
        f"frame {one['frame_id']} was not checked: {quoted(one['why'])}" for one in value["unread"]
    ]
    rest = f"{value['passes']} rules pass, {value['incomplete']} need a person to decide."
    return [*(lines or ["No violations."]), rest]


def _node(one: Mapping[str, Any]) -> str:
    what = one["role"] if one["role"] not in ("", "generic") else f"<{token(one['tag'])}>"
    named = f" {shortened(quoted(one['name']), 80)}" if one["name"] else ""
    return f"- {what}{named} [ref={one['ref']}]: {shortened(quoted(one['why']), _LONGEST_WHY)}"
