"""What dialects have in common: their protocol, the check of fields, and merging of news."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, create_model

from tabwarden.actions import ACTIONS, Form, TimeoutMs, Toolset
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig


class Fields(BaseModel):
    """A tool's own fields; every tool also has ``timeout_ms``."""

    model_config = ConfigDict(extra="forbid")


def form(tool: str, fields: type[Fields]) -> Form:
    """Return the form that checks and describes a tool's fields.

    Args:
        tool: the tool's name in errors.
        fields: the tool's fields.
    """
    parameters = create_model(fields.__name__, __base__=fields, timeout_ms=(TimeoutMs, None))
    return Form(tool=tool, parameters=parameters)


def budget_of(
    config: BrowserConfig, tool: str, timeout_ms: float | None, *, at_least_ms: float = 0.0
) -> Budget:
    """Return the budget of a call.

    Args:
        config: the configuration, which has the default budgets.
        tool: the registry's tool that serves the call.
        timeout_ms: the caller's limit.
        at_least_ms: the time that the call needs by its own arguments. A shorter default is raised
            to it.
    """
    default_ms = config.timeout_of(ACTIONS[tool].name)
    return Budget.of(timeout_ms, max(default_ms, at_least_ms))


class Dialect(Toolset, Protocol):
    """The tools of another design."""

    def obeyed(self, config: BrowserConfig) -> BrowserConfig:
        """Return the configuration with the design's defaults for everything that the user has not
        set.

        A call applies this configuration to the session's browser. A surface may also open its
        sessions with it.
        """
        ...


def joined(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Merge the news of two results."""
    return {
        kind: [*first.get(kind, ()), *second.get(kind, ())]
        for kind in dict.fromkeys((*first, *second))
    }
