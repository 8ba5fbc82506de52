"""The features that an endpoint supports."""

from __future__ import annotations

import msgspec


class Capabilities(msgspec.Struct, frozen=True, kw_only=True):
    """The features that an endpoint supports: True, False, or a short note about limits.

    A note is text for people. A note is truthy, so ``if capabilities.downloads`` still works. If a
    provider's documentation doesn't mention a feature, the value is False.

    Attributes:
        detect_dialogs: we receive an event when a JavaScript dialog opens.
        answer_dialogs: the agent can accept or dismiss a dialog; the provider does not handle it
            automatically.
        frame_tree: we know all frames of a page, including out-of-process frames.
        oopif_evaluate: scripts can run in out-of-process frames.
        readable_behind_dialog: the page can be read while a dialog is open.
        survives_reconnect: the browser keeps running after the connection is lost.
        guard_session: a second connection can keep a dialog open if the first connection is lost.
        live_view: there is a URL where a person can watch the browser.
        downloads: we can get downloaded files.
        native_dialogs: the browser responds to us while it shows a dialog in its own window.
        windows: a page that opens a window continues even if the window is refused.
        actions: the names of the actions that this kind of browser supports; None for all of them.
            The interfaces hide the others.
        note: what an agent and a person should know about this kind of browser.
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
    native_dialogs: bool | str = True
    windows: bool | str = True
    actions: frozenset[str] | None = None
    note: str = ""

    @property
    def unknown_fields(self) -> tuple[str, ...]:
        """The fields of a snapshot that this endpoint can't fill, so that the interfaces omit
        them.
        """
        dialogs = () if self.detect_dialogs else ("pending_dialogs", "recent_dialogs")
        return (*dialogs, *(() if self.frame_tree else ("frame_tree",)))


def capabilities_in(declared: Capabilities, product: str) -> Capabilities:
    """Return the capabilities of the browser that answered at an endpoint.

    Args:
        declared: the endpoint's capabilities with Chrome.
        product: the name and version, as in ``OpenedEndpoint.product``.
    """
    if not product.startswith("QtWebEngine/"):
        return declared
    return msgspec.structs.replace(
        declared,
        answer_dialogs="in a debugger pause; only a person can answer `beforeunload`",
        downloads=False,
        native_dialogs=False,
        windows=False,
        note="This is an application with QtWebEngine. Dialogs wait in a debugger pause, because "
        "the application's own dialog would block it. It can't open or download anything for "
        "Tabwarden, and it decides itself whether a tab closes.",
    )
