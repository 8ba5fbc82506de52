"""What can be done on each kind of endpoint."""

from __future__ import annotations

import msgspec

__all__ = ["Capabilities"]


class Capabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What works on an endpoint: True, False, or a short note on when or how far it does.

    A note counts as yes (``if capabilities.downloads``) and is there for people. What a
    provider's documentation does not say is False.

    Attributes:
        detect_dialogs: JavaScript dialogs are seen when they open.
        answer_dialogs: the agent's answer is the one that the page gets.
        frame_tree: all frames of a page are known, those of other processes too.
        oopif_evaluate: scripts run in frames of other processes.
        readable_behind_dialog: the page can be read while a dialog waits.
        survives_reconnect: the same browser is there after the connection was lost.
        guard_session: a second connection may hold a dialog open while the first one is lost.
        live_view: there is an address at which a person can watch.
        downloads: downloaded files can be had.
    """

    detect_dialogs: bool | str = True
    answer_dialogs: bool | str = True
    frame_tree: bool | str = True
    oopif_evaluate: bool | str = True
    readable_behind_dialog: bool | str = True
    survives_reconnect: bool | str = True
    guard_session: bool | str = True
    live_view: bool | str = False
    downloads: bool | str = True
