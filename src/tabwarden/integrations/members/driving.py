"""What the drivers for the vendors' SDKs share."""

from __future__ import annotations

from typing import Literal, TypeAlias

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
