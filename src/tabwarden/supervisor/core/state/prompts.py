"""Prompts that wait for an answer, and the values that answer them."""

from __future__ import annotations

from typing import Literal

import msgspec

PermissionSetting = Literal["granted", "denied", "prompt"]


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt that waits for an answer. ``core/prompts`` defines the kinds."""

    id: str
    """The prompt's ID: ``f-1``, ``a-1``, ...; the letter identifies the kind."""
    tab_id: str
    session_id: str
    frame_id: str | None
    opened_at: float
    """When the prompt opened, in wall-clock seconds since the epoch."""
    deadline: float | None = None
    """When the policy's timeout cancels the prompt, in monotonic seconds."""
    answered: bool = False
    """Whether an answer has been sent to the browser."""


class Credentials(msgspec.Struct, frozen=True):
    """A user name and a password; never shown."""

    username: str
    password: str

    def __repr__(self) -> str:
        return "Credentials(…)"

    __str__ = __repr__


class PermissionRule(msgspec.Struct, frozen=True, kw_only=True):
    """A permission that is granted or denied at all origins or at one origin."""

    name: str
    """The permission's name, as in ``navigator.permissions.query``."""
    setting: PermissionSetting
    origin: str | None = None
