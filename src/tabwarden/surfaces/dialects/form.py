"""Form: the fields of a dialect's tool, checked as the registry checks an action's."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, create_model

from tabwarden.actions import ACTIONS, Form
from tabwarden.actions.registry import TimeoutMs
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig

__all__ = ["Fields", "budget_of", "form"]


class Fields(BaseModel):
    """A tool's own fields; ``timeout_ms`` is every tool's."""

    model_config = ConfigDict(extra="forbid")


def form(tool: str, fields: type[Fields]) -> Form:
    """What checks and describes a tool's fields.

    Args:
        tool: what errors call it.
        fields: its fields.
    """
    parameters = create_model(fields.__name__, __base__=fields, timeout_ms=(TimeoutMs, None))
    return Form(tool=tool, parameters=parameters)


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
