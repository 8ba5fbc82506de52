"""The groups of tools, collected from the actions."""

from __future__ import annotations

from typing import get_args

from tabwarden.actions import definitions  # noqa: F401  # fills the registry
from tabwarden.actions.registry import ACTIONS
from tabwarden.page.task import Group

GROUPS: dict[str, tuple[str, ...]] = {
    group: tuple(action.tool for action in ACTIONS.values() if action.group == group)
    for group in get_args(Group)
}
"""The tools in each group, keyed by the group's name."""
