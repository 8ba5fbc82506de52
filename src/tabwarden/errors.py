"""Every error that Tabwarden raises, with the words that a reader needs to go on.

One hierarchy, the same codes on every surface (DESIGN section 7). An error is raised where its
cause is known and turned into text, JSON or an exit code only at the surface.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing costs the command line's client more than all of this
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = [
    "AlreadyOpen",
    "AmbiguousDialog",
    "BrowserGone",
    "BudgetExceeded",
    "Cancelled",
    "Denied",
    "DialogPending",
    "Disabled",
    "EndpointUnreachable",
    "FrameNotFound",
    "InvalidArgument",
    "JsError",
    "LaunchFailed",
    "NoDialog",
    "NotInteractable",
    "NotOopif",
    "NotOpen",
    "NotSupported",
    "Obscured",
    "StaleRef",
    "TabwardenError",
    "TargetCrashed",
    "UnknownRef",
]


_MESSAGE = 1_000
_HINT = 4_000
_FIELD = 250
_TEXT = 2_000
"""The longest that is told: of an error's data too. A caller may have given a book."""


def _told(text: str, longest: int) -> str:
    """A text without its middle where it is too long."""
    if len(text) <= longest:
        return text
    head, tail = longest * 6 // 10, longest * 3 // 10
    return f"{text[:head]} … {len(text) - head - tail} characters … {text[-tail:]}"


class TabwardenError(Exception):
    """What happened and what to do next.

    Attributes:
        code: one of DESIGN section 7's codes; stable, for programs.
        message: what happened, in one or two sentences; for people and models.
        hint: what to do next; empty when there is nothing to add.
        data: JSON-ready facts (the dialog that blocks, the steps taken, the nearest key).
    """

    code: ClassVar[str] = "error"
    told_whole: ClassVar[bool] = False
    """What it says is a page's or a browser's, and has an end of its own."""

    def __init__(self, message: str, hint: str = "", **data: Any) -> None:
        if not self.told_whole:
            message, hint = _told(message, _MESSAGE), _told(hint, _HINT)
            for name, value in data.items():
                if isinstance(value, str):
                    data[name] = _told(value, _FIELD if name == "field" else _TEXT)
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.data: dict[str, Any] = data

    def __str__(self) -> str:
        words = f"{self.code}: {self.message}"
        return f"{words} {self.hint}" if self.hint else words

    def to_dict(self) -> dict[str, Any]:
        """The JSON form that every surface shows: ``{code, message, hint, data}``."""
        return {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "data": self.data,
        }


class BudgetExceeded(TabwardenError):
    """The call's deadline passed; ``data`` says what was blocking and the recovery steps taken."""

    code = "budget_exceeded"


class Cancelled(TabwardenError):
    """The caller gave the call up; the page's script was stopped too."""

    code = "cancelled"


class DialogPending(TabwardenError):
    """A dialog blocks the page, so it cannot serve this call; ``data["dialog"]`` names it."""

    code = "dialog_pending"


class NoDialog(TabwardenError):
    """There is no dialog to answer (or no longer)."""

    code = "no_dialog"


class AmbiguousDialog(TabwardenError):
    """Several dialogs wait and no id was given; ``data["dialogs"]`` lists them."""

    code = "ambiguous_dialog"


class StaleRef(TabwardenError):
    """The ref's element is gone; ``data`` says what it was."""

    code = "stale_ref"


class UnknownRef(TabwardenError):
    """No snapshot ever gave this ref."""

    code = "unknown_ref"


class NotInteractable(TabwardenError):
    """The element is there but cannot be acted on (no size, disabled, hidden)."""

    code = "not_interactable"


class Obscured(TabwardenError):
    """Another element covers the point of a click, or keeps the focus; ``data["by"]`` names it."""

    code = "obscured"


class FrameNotFound(TabwardenError):
    """No frame with this ``frame_id`` (any more)."""

    code = "frame_not_found"


class NotOopif(TabwardenError):
    """The frame shares its parent's process, so it has no session of its own."""

    code = "not_oopif"


class JsError(TabwardenError):
    """The page's JavaScript threw; ``data`` has the stack and the line."""

    code = "js_error"
    told_whole = True


class TargetCrashed(TabwardenError):
    """The tab's renderer crashed."""

    code = "target_crashed"


class BrowserGone(TabwardenError):
    """The browser, the connection to it, or the tab is gone; ``data["reason"]`` says how."""

    code = "browser_gone"


class EndpointUnreachable(TabwardenError):
    """No browser answered at the endpoint."""

    code = "endpoint_unreachable"


class NotOpen(TabwardenError):
    """No browser is open for this task."""

    code = "not_open"


class AlreadyOpen(TabwardenError):
    """A browser is open for this task already."""

    code = "already_open"


class Disabled(TabwardenError):
    """The configuration switches this off."""

    code = "disabled"


class Denied(TabwardenError):
    """A policy forbids this (scheme, origin, folder)."""

    code = "denied"


class InvalidArgument(TabwardenError):
    """A parameter is wrong; ``data["field"]`` names it."""

    code = "invalid_argument"


class NotSupported(TabwardenError):
    """The endpoint, the browser or this system cannot do it."""

    code = "not_supported"


class LaunchFailed(TabwardenError):
    """The browser did not come up; ``data["stderr"]`` has its last words."""

    code = "launch_failed"
    told_whole = True
