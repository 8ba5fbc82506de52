"""Errors as HTTP responses, in a format that clients of similar APIs know. The format is ``{ok:
false, error, code, tabwarden: {code, message, hint, data}}``. ``error`` is for people and models.
On ``/act``, ``code`` is a code of that protocol (``ACT_...``). ``tabwarden`` contains the error in
the format of all other interfaces.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from tabwarden.errors import Capacity, Disabled, TabwardenError
from tabwarden.hints import joined
from tabwarden.surfaces.http.pipeline import json_response

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
    "held_by_person": 423,
    "js_error": 422,
    "capacity": 429,
    "not_supported": 501,
    "browser_gone": 502,
    "endpoint_unreachable": 502,
    "page_unreachable": 502,
    "bad_certificate": 502,
    "target_crashed": 502,
    "cancelled": 503,
    "budget_exceeded": 504,
    "launch_failed": 502,
}
"""The HTTP status for each error code; 500 for other codes."""
_ACT_STATUS = {
    "ACT_KIND_REQUIRED": 400,
    "ACT_INVALID_REQUEST": 400,
    "ACT_SELECTOR_UNSUPPORTED": 400,
    "ACT_EVALUATE_DISABLED": 403,
    "ACT_TARGET_ID_MISMATCH": 403,
    "ACT_OPERATION_FAILED": 500,
}


class ActRefused(Exception):
    """An action of ``/act`` was rejected or failed. By default, ``code`` is a general code."""

    def __init__(self, error: TabwardenError, code: str | None = None) -> None:
        super().__init__(str(error))
        wrong = error.code == "invalid_argument"
        self.code = code or ("ACT_INVALID_REQUEST" if wrong else "ACT_OPERATION_FAILED")
        self.error = error

    @property
    def status(self) -> int:
        return _ACT_STATUS[self.code]

    def body(self) -> dict[str, Any]:
        """Return the response's body, which a batch also adds to its list of results."""
        return _body(self.error, self.code)


def switched_off() -> Disabled:
    """Return the error for requests while ``browser.enabled`` is false."""
    return Disabled("Tabwarden is disabled in its configuration.", "Set browser.enabled: true.")


def refusal(
    error: TabwardenError | ActRefused,
    *,
    status: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return an error as a response. By default, the error's code decides the HTTP status."""
    cause = error.error if isinstance(error, ActRefused) else error
    if isinstance(cause, Capacity):
        headers = {**(headers or {}), "Retry-After": str(math.ceil(cause.retry_after_s))}
        status = status or (503 if cause.data.get("reason") == "stopping" else 429)
    if isinstance(error, ActRefused):
        return json_response(error.body(), status or error.status, headers)
    found = status or _STATUS.get(error.code, 500)
    return json_response(_body(error, error.code), found, headers)


def _body(error: TabwardenError, code: str) -> dict[str, Any]:
    words = joined(error.message, error.hint)
    return {"ok": False, "error": words, "code": code, "tabwarden": error.to_dict()}
