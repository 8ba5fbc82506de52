"""Errors: one class a code, the same words on every surface."""

from __future__ import annotations

import pytest

from tabwarden import errors

CODES = (
    "budget_exceeded cancelled dialog_pending no_dialog ambiguous_dialog stale_ref unknown_ref "
    "not_interactable obscured frame_not_found not_oopif js_error target_crashed browser_gone "
    "endpoint_unreachable not_open already_open disabled denied invalid_argument not_supported "
    "launch_failed"
).split()
CLASSES = [getattr(errors, name) for name in errors.__all__ if name != "TabwardenError"]


def test_every_code_of_the_contract_has_one_class() -> None:
    assert sorted(kind.code for kind in CLASSES) == sorted(CODES)


@pytest.mark.parametrize("kind", CLASSES)
def test_an_error_says_what_happened_and_what_to_do(kind: type[errors.TabwardenError]) -> None:
    error = kind("It broke.", "Mend it.", part="wheel")
    assert str(error) == f"{kind.code}: It broke. Mend it."
    assert error.to_dict() == {
        "code": kind.code,
        "message": "It broke.",
        "hint": "Mend it.",
        "data": {"part": "wheel"},
    }
    assert isinstance(error, errors.TabwardenError)
    assert kind.__doc__
