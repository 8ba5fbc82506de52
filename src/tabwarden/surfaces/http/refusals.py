"""Refusals: errors as HTTP tells them, in the shape that clients of such an API know.

``{ok: false, error, code, tabwarden: {code, message, hint, data}}``: ``error`` is for people and
models, ``code`` on ``/act`` is the protocol's own (``ACT_...``), and ``tabwarden`` is the error as
every surface tells it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from tabwarden.errors import Disabled, TabwardenError
from tabwarden.surfaces.http.answers import json_response
from tabwarden.surfaces.http.ways import in_http_names, in_http_words

__all__ = ["ActRefused", "refusal", "switched_off"]

_STATUS = {
    "invalid_argument": 400,
    "denied": 403,
    "disabled": 403,
    "unknown_ref": 404,
    "frame_not_found": 404,
    "no_dialog": 404,
    "ambiguous_dialog": 409,
    "dialog_pending": 409,
    "not_open": 409,
    "already_open": 409,
    "not_oopif": 409,
    "stale_ref": 409,
    "not_interactable": 409,
    "obscured": 409,
    "js_error": 422,
    "not_supported": 501,
    "browser_gone": 502,
    "endpoint_unreachable": 502,
    "target_crashed": 502,
    "cancelled": 503,
    "budget_exceeded": 504,
    "launch_failed": 502,
}
"""By our codes; any other is 500."""
_ACT_STATUS = {
    "ACT_KIND_REQUIRED": 400,
    "ACT_INVALID_REQUEST": 400,
    "ACT_SELECTOR_UNSUPPORTED": 400,
    "ACT_EVALUATE_DISABLED": 403,
    "ACT_TARGET_ID_MISMATCH": 403,
    "ACT_OPERATION_FAILED": 500,
}


class ActRefused(Exception):
    """An action of ``/act`` that was refused, or that failed.

    Args:
        error: why.
        code: the protocol's own; else the general one that fits.
    """

    def __init__(self, error: TabwardenError, code: str | None = None) -> None:
        super().__init__(str(error))
        wrong = error.code == "invalid_argument"
        self.code = code or ("ACT_INVALID_REQUEST" if wrong else "ACT_OPERATION_FAILED")
        self.error = error

    @property
    def status(self) -> int:
        """The HTTP status that goes with the code."""
        return _ACT_STATUS[self.code]

    def body(self) -> dict[str, Any]:
        """The body of the response; also what stands for it among a batch's results."""
        return _body(self.error, self.code)


def switched_off() -> Disabled:
    """The error while ``browser.enabled`` is false."""
    return Disabled("Tabwarden is switched off by its configuration.", "Set browser.enabled: true.")


def refusal(
    error: TabwardenError | ActRefused,
    *,
    status: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """An error as a response.

    Args:
        error: what went wrong.
        status: the HTTP status; else the one that goes with the error's code.
        headers: of the response.
    """
    if isinstance(error, ActRefused):
        return json_response(error.body(), status or error.status, headers)
    found = status or _STATUS.get(error.code, 500)
    return json_response(_body(error, error.code), found, headers)


def _body(error: TabwardenError, code: str) -> dict[str, Any]:
    ours = error.to_dict()
    ours["message"] = in_http_words(error.message)
    ours["hint"] = in_http_names(in_http_words(error.hint))
    return {
        "ok": False,
        "error": f"{ours['message']} {ours['hint']}".strip(),
        "code": code,
        "tabwarden": ours,
    }
