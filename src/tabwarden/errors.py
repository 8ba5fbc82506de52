"""Every error that Tabwarden raises, with a message and a hint for the reader.

There is one class hierarchy, and every surface uses the same error codes (DESIGN section 7). An
error is raised where its cause is detected. Only surfaces convert an error to text, JSON or an exit
code.
"""

from __future__ import annotations

from tabwarden.hints import Hint

TYPE_CHECKING = False  # importing typing would take longer than the rest of this module
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
"""Maximum length of a text in an error, because the caller may have passed a very long text."""


def _told(text: str, longest: int) -> str:
    """Cut the middle out of a text that is too long."""
    if len(text) <= longest or isinstance(text, Hint):
        return text
    head, tail = longest * 6 // 10, longest * 3 // 10
    return f"{text[:head]} … {len(text) - head - tail} characters … {text[-tail:]}"


class TabwardenError(Exception):
    """What happened and what to do next.

    Attributes:
        code: a code from DESIGN section 7; stable, for programs.
        message: what happened, in one or two sentences; for people and models.
        hint: what to do next; empty if there is nothing to add.
        data: JSON-ready facts, such as the blocking dialog, the recovery steps, or the closest
            match.
    """

    code: ClassVar[str] = "error"
    told_whole: ClassVar[bool] = False
    """Whether to never shorten the text. For text from a page or a browser, whose length is limited
    elsewhere.
    """

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
        """Return the JSON form that every surface shows: ``{code, message, hint, data}``."""
        return {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "data": self.data,
        }


class BudgetExceeded(TabwardenError):
    """The deadline passed; ``data`` says what blocked the call and which recovery steps were
    taken."""

    code = "budget_exceeded"


class Cancelled(TabwardenError):
    """The caller cancelled the call; the page's script was stopped too."""

    code = "cancelled"


class DialogPending(TabwardenError):
    """A dialog blocks the page, so the call can't run; ``data["dialog"]`` names the dialog."""

    code = "dialog_pending"


class NoDialog(TabwardenError):
    """No dialog is open, or the given dialog has already closed."""

    code = "no_dialog"


class AmbiguousDialog(TabwardenError):
    """Several dialogs are open and the call named none; ``data["dialogs"]`` lists them."""

    code = "ambiguous_dialog"


class StaleRef(TabwardenError):
    """The ref's element is gone; ``data`` describes it."""

    code = "stale_ref"


class UnknownRef(TabwardenError):
    """No snapshot has listed this ref."""

    code = "unknown_ref"


class NotInteractable(TabwardenError):
    """The element exists but can't be used: it has no size, or is disabled or hidden."""

    code = "not_interactable"


class Obscured(TabwardenError):
    """Another element covers the click point, or keeps the focus; ``data["by"]`` names that
    element.
    """

    code = "obscured"


class FrameNotFound(TabwardenError):
    """There is no frame with this ``frame_id``, or it is gone."""

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
    """The browser, its connection or the tab is gone; ``data["reason"]`` says how."""

    code = "browser_gone"


class EndpointUnreachable(TabwardenError):
    """No browser answered at the endpoint."""

    code = "endpoint_unreachable"


class NotOpen(TabwardenError):
    """No browser is open for this task."""

    code = "not_open"


class AlreadyOpen(TabwardenError):
    """This task already has an open browser."""

    code = "already_open"


class Disabled(TabwardenError):
    """The configuration disables this action or feature."""

    code = "disabled"


class Denied(TabwardenError):
    """A policy forbids this scheme, origin or folder."""

    code = "denied"


class InvalidArgument(TabwardenError):
    """A parameter is wrong; ``data["field"]`` names it."""

    code = "invalid_argument"


class NotSupported(TabwardenError):
    """The endpoint, the browser or this system does not support the call."""

    code = "not_supported"


class LaunchFailed(TabwardenError):
    """The browser did not start; ``data["stderr"]`` has the end of its output."""

    code = "launch_failed"
    told_whole = True
