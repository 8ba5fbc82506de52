"""Form: the fields of a dialect's tool, checked as the registry checks an action's."""

from __future__ import annotations

from typing import Annotated

import msgspec
from pydantic import BaseModel, ConfigDict, Field, create_model

from tabwarden.actions import ACTIONS, Action
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig, Milliseconds

__all__ = ["Fields", "budget_of", "form"]


_TimeoutMs = Annotated[
    Milliseconds | None,
    Field(description="Budget of the whole call in milliseconds; it returns by then."),
]


class Fields(BaseModel):
    """A tool's own fields; ``timeout_ms`` is every tool's."""

    model_config = ConfigDict(extra="forbid")


def form(tool: str, fields: type[Fields]) -> Action:
    """What checks and describes a tool's fields (``check``, ``schema``); it is never run.

    Args:
        tool: what errors call it.
        fields: its fields.
    """
    parameters = create_model(fields.__name__, __base__=fields, timeout_ms=(_TimeoutMs, None))
    return msgspec.structs.replace(next(iter(ACTIONS.values())), tool=tool, parameters=parameters)


def budget_of(
    config: BrowserConfig, tool: str, timeout_ms: float | None, *, at_least_ms: float = 0.0
) -> Budget:
    """The one budget of a call.

    Args:
        config: has the defaults.
        tool: the registry's tool that serves the call.
        timeout_ms: what the caller asked for.
        at_least_ms: what the call takes by its own words; the default gives way to it.
    """
    default_ms = config.timeout_of(ACTIONS[tool].name)
    return Budget.of(timeout_ms, max(default_ms, at_least_ms))
