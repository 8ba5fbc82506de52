"""Shared code of the dialects: time budgets, validation of fields, and merging of news (new
events).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, create_model

from tabwarden.actions import ACTIONS, Form, TimeoutMs
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig


class Fields(BaseModel):
    """A tool's own fields. Every tool also has ``timeout_ms``."""

    model_config = ConfigDict(extra="forbid")


def form(tool: str, fields: type[Fields]) -> Form:
    """Return the form that validates and describes a tool's fields. Error messages use the name
    ``tool``.
    """
    parameters = create_model(fields.__name__, __base__=fields, timeout_ms=(TimeoutMs, None))
    return Form(tool=tool, model=lambda: parameters)


def budget_of(
    config: BrowserConfig, tool: str, timeout_ms: float | None, *, at_least_ms: float = 0.0
) -> Budget:
    """Return the time budget of a call.

    Args:
        tool: the registry's tool that serves the call.
        timeout_ms: the caller's limit. None for the default budget.
        at_least_ms: the minimum for a default budget, if the call's arguments require this much
            time.
    """
    default_ms = config.timeout_of(ACTIONS[tool].name)
    return Budget.of(timeout_ms, max(default_ms, at_least_ms))


def joined(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Merge the news (new events) from two results."""
    return {
        kind: [*first.get(kind, ()), *second.get(kind, ())]
        for kind in dict.fromkeys((*first, *second))
    }
