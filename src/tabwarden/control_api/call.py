"""The interface through which an act runs more than one action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from tabwarden.actions import Action, Performed
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig


class Acting(Protocol):
    """A call that runs several actions under one time budget."""

    @property
    def config(self) -> BrowserConfig: ...

    @property
    def budget(self) -> Budget: ...

    async def run(self, action: Action, arguments: Mapping[str, Any]) -> Performed:
        """Run an action of the registry. Raise ``TabwardenError`` if it fails."""
        ...
