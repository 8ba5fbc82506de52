"""Every error that Tabwarden raises.

All interfaces use the same error codes (docs/reference/errors.md). Only the interfaces (CLI, HTTP,
MCP) convert an error to text, JSON or an exit code.
"""

from __future__ import annotations

from tabwarden.hints import Hint

TYPE_CHECKING = False  # importing typing would take longer than the rest of this module
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = [
    "AlreadyOpen",
    "AmbiguousDialog",
    "BadCertificate",
    "BrowserGone",
    "BudgetExceeded",
    "Cancelled",
    "Capacity",
    "Denied",
    "DialogPending",
    "Disabled",
    "EndpointUnreachable",
    "FrameNotFound",
    "HeldByPerson",
    "InvalidArgument",
    "JsError",
    "LaunchFailed",
    "NoDialog",
    "NotInteractable",
    "NotOopif",
    "NotOpen",
    "NotSupported",
    "Obscured",
    "PageDiffers",
    "PageUnreachable",
    "StaleRef",
    "TabwardenError",
    "TargetCrashed",
    "UnknownRef",
]

# Maximum lengths in characters: an error may quote a very long text from the caller.
_MESSAGE = 1_000
_HINT = 4_000
_FIELD = 250
_TEXT = 2_000


def _shortened(text: str, longest: int) -> str:
    """Cut out the middle of ``text`` if it is longer than ``longest``."""
    if len(text) <= longest or isinstance(text, Hint):
        return text
    head, tail = longest * 6 // 10, longest * 3 // 10
    return f"{text[:head]} … {len(text) - head - tail} characters … {text[-tail:]}"


class TabwardenError(Exception):
    """The base class of all errors.

    Attributes:
        code: a stable code for programs.
        message: what happened, in one or two sentences; for people and models.
        hint: what to do next; may be empty.
        data: details as JSON values, such as the blocking dialog or the recovery steps.
    """

    code: ClassVar[str] = "error"
    told_whole: ClassVar[bool] = False
    """Whether long texts are kept unchanged, because they are from a page or a browser, where their
    length is already limited.
    """

    def __init__(self, message: str, hint: str = "", **data: Any) -> None:
        if not self.told_whole:
            message, hint = _shortened(message, _MESSAGE), _shortened(hint, _HINT)
            for name, value in data.items():
                if isinstance(value, str):
                    data[name] = _shortened(value, _FIELD if name == "field" else _TEXT)
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.data: dict[str, Any] = data

    def __str__(self) -> str:
        words = f"{self.code}: {self.message}"
        return f"{words} {self.hint}" if self.hint else words

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON representation that all interfaces use."""
        return {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "data": self.data,
        }


class BudgetExceeded(TabwardenError):
    """The deadline passed; ``data`` has the cause and the recovery steps that were taken."""

    code = "budget_exceeded"


class Cancelled(TabwardenError):
    """The caller canceled the call. If the call was running a script, the script was stopped."""

    code = "cancelled"


class Capacity(TabwardenError):
    """No more browsers can be opened now. Try again after ``data["retry_after_s"]`` seconds."""

    code = "capacity"

    @property
    def retry_after_s(self) -> float:
        """When to try again, in seconds from now; 1 if ``data`` does not contain it."""
        return float(self.data.get("retry_after_s", 1))


class DialogPending(TabwardenError):
    """A dialog or a password prompt blocks the page, so the call can't run; ``data["dialog"]`` or
    ``data["auth"]`` describes it."""

    code = "dialog_pending"


class NoDialog(TabwardenError):
    """No dialog is open, or the requested dialog has already closed."""

    code = "no_dialog"


class AmbiguousDialog(TabwardenError):
    """Several dialogs are open, and the call did not specify one; ``data["dialogs"]`` lists
    them.
    """

    code = "ambiguous_dialog"


class StaleRef(TabwardenError):
    """The ref's element is gone; ``data`` describes the element."""

    code = "stale_ref"


class UnknownRef(TabwardenError):
    """No snapshot has listed this ref."""

    code = "unknown_ref"


class NotInteractable(TabwardenError):
    """The element exists but can't be used: it has no size, is disabled or hidden, or a browser
    window is receiving all of the tab's input.
    """

    code = "not_interactable"


class Obscured(TabwardenError):
    """Another element (``data["by"]``) covers the click point or keeps the focus."""

    code = "obscured"


class FrameNotFound(TabwardenError):
    """No frame has this ``frame_id``, or the frame no longer exists."""

    code = "frame_not_found"


class NotOopif(TabwardenError):
    """The frame shares its parent's process, so it has no session of its own."""

    code = "not_oopif"


class JsError(TabwardenError):
    """The page's JavaScript threw an exception; ``data`` has the stack trace and the line."""

    code = "js_error"
    told_whole = True


class TargetCrashed(TabwardenError):
    """The tab's renderer crashed."""

    code = "target_crashed"


class BrowserGone(TabwardenError):
    """The browser, its connection or the tab is gone; ``data["reason"]`` says why."""

    code = "browser_gone"


class EndpointUnreachable(TabwardenError):
    """No browser responded at the endpoint."""

    code = "endpoint_unreachable"


class PageUnreachable(TabwardenError):
    """The browser could not load a URL: no server responded, or the connection failed.

    ``data["error_text"]`` is the browser's reason.
    """

    code = "page_unreachable"


class BadCertificate(TabwardenError):
    """The browser does not trust the server's certificate."""

    code = "bad_certificate"


class HeldByPerson(TabwardenError):
    """A person has control of the browser; ``data`` says ``who`` and ``since`` when."""

    code = "held_by_person"


class PageDiffers(TabwardenError):
    """A replay stopped before this step, because the current page differs from the recorded page;
    ``data`` has the step, and the elements that resemble the recorded element most.
    """

    code = "page_differs"


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
    """A policy forbids this URL scheme, origin, folder or setting."""

    code = "denied"


class InvalidArgument(TabwardenError):
    """A parameter is invalid; ``data["field"]`` is its name."""

    code = "invalid_argument"


class NotSupported(TabwardenError):
    """The endpoint, the browser or this system does not support the call."""

    code = "not_supported"


class LaunchFailed(TabwardenError):
    """The browser did not start; ``data["stderr"]`` has the last part of its standard error."""

    code = "launch_failed"
    told_whole = True
