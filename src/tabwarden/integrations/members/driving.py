"""What the drivers for the vendors' SDKs share."""

from __future__ import annotations

from types import TracebackType
from typing import Literal, Self, TypeAlias

from tabwarden.errors import InvalidArgument
from tabwarden.integrations.members.table import MemberTools
from tabwarden.tools.offer import Offer, Source

Dialogs: TypeAlias = Literal["ask", "dismiss", "accept"]
POLICIES = {"ask": "must_respond", "dismiss": "auto_dismiss", "accept": "auto_accept"}


def driver_tools(source: Source, toolset: MemberTools, dialogs: Dialogs) -> Offer:
    """Return the tools of a driver, which run the members of ``toolset``.

    Raises:
        InvalidArgument: ``dialogs`` or ``source`` is not valid.
    """
    if dialogs not in POLICIES:
        raise InvalidArgument(
            f"dialogs must be ask, dismiss or accept, not {dialogs!r}.",
            "Choose one of these.",
            field="dialogs",
        )
    toolset.serves_driver = True
    toolset.asks = dialogs == "ask"
    toolset.dialog_policy = "auto_dismiss" if toolset.asks else POLICIES[dialogs]
    return Offer(source, toolset=toolset)


class SyncDriver:
    """What the sync drivers share. Use ``with``, or call ``close()`` at the end."""

    _tools: Offer

    def close(self) -> None:
        """Stop the running call, and close the browser if this driver opened it."""
        self._tools.close_sync()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class AsyncDriver:
    """What the async drivers share. Use ``async with``, or await ``close()`` at the end."""

    _tools: Offer

    async def close(self) -> None:
        """Stop the running call, and close the browser if this driver opened it."""
        await self._tools.close_async()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
