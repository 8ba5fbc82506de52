"""The tool ``browser_tools``. With it, a model adds groups of tools to its list."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from pydantic import BaseModel, ConfigDict

from tabwarden.actions.dispatch import Answer, PreparedCall, refused, refusing
from tabwarden.actions.groups import GROUPS
from tabwarden.actions.registry import ACTIONS, Form, available
from tabwarden.actions.sessions import Session
from tabwarden.actions.tool import Tool
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument, TabwardenError

MORE_TOOLS = "browser_tools"


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")
    add: list[str]


_FORM = Form(tool=MORE_TOOLS, model=lambda: _Arguments)


def more_tools_tool() -> Tool:
    """Return the tool in the format that the model sees."""
    others = "; ".join(
        f"{group}: {', '.join(name.removeprefix('browser_') for name in names)}"
        for group, names in GROUPS.items()
        if group != "core"
    )
    return Tool(
        name=MORE_TOOLS,
        description=f"Add browser tools to your list. Groups: {others}.",
        input=lambda: {
            "type": "object",
            "properties": {"add": {"type": "array", "items": {"type": "string"}}},
            "required": ["add"],
        },
        read_only=True,
        open_world=False,
    )


def prepare_more_tools(
    config: BrowserConfig, arguments: Mapping[str, Any], budget: Budget | None
) -> PreparedCall:
    """Check a call of ``browser_tools``. See ``Toolset.prepare``."""
    budget = budget or Budget(config.default_timeout_ms)
    try:
        groups = _FORM.check(arguments).arguments["add"]
        if unknown := [group for group in groups if group not in GROUPS]:
            raise InvalidArgument(
                f"There is no group {unknown[0][:100]!r}.",
                f"The groups are: {', '.join(GROUPS)}.",
                field="add",
            )
    except TabwardenError as error:
        return refusing(budget, partial(refused, error=error))
    return refusing(budget, partial(_added, config, groups))


def _added(config: BrowserConfig, groups: list[str], session: Session) -> Answer:
    session.list_tools(tool for group in groups for tool in GROUPS[group])
    possible = {action.tool for action in available(config, session)}
    added = [tool for group in groups for tool in GROUPS[group] if tool in possible]
    lines = [f"- {name}: {ACTIONS[name].description.split(chr(10))[0]}" for name in added]
    text = "\n".join(["These tools are in your list now:", *lines]) if lines else "Nothing to add."
    return Answer(text=text, data={"status": "ok", "added": added})
