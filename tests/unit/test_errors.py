"""Errors: one class per code, with the same text on every surface."""

from __future__ import annotations

import json

import pytest

from tabwarden import errors

CODES = (
    "budget_exceeded cancelled dialog_pending no_dialog ambiguous_dialog stale_ref unknown_ref "
    "not_interactable obscured frame_not_found not_oopif js_error target_crashed browser_gone "
    "endpoint_unreachable page_unreachable bad_certificate not_open already_open disabled "
    "capacity denied held_by_person invalid_argument not_supported "
    "launch_failed page_differs"
).split()
CLASSES = [getattr(errors, name) for name in errors.__all__ if name != "TabwardenError"]


def test_every_documented_error_code_has_one_class() -> None:
    assert sorted(kind.code for kind in CLASSES) == sorted(CODES)


@pytest.mark.parametrize("kind", CLASSES)
def test_error_contains_code_message_hint_and_data(kind: type[errors.TabwardenError]) -> None:
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


def test_every_error_class_is_listed_and_has_a_unique_code() -> None:
    def below(kind: type[errors.TabwardenError]) -> list[type[errors.TabwardenError]]:
        return [each for sub in kind.__subclasses__() for each in (sub, *below(sub))]

    ours = [kind for kind in below(errors.TabwardenError) if kind.__module__ == errors.__name__]
    assert sorted(kind.__name__ for kind in ours) == sorted(kind.__name__ for kind in CLASSES)
    assert len({kind.code for kind in ours}) == len(ours)


def test_error_shortens_very_long_input_from_the_caller() -> None:
    book = "x" * 300_000
    error = errors.InvalidArgument(
        f"{book!r} is no ref.", f"Such as e5, not {book}.", field=book, url=book
    )
    assert len(json.dumps(error.to_dict())) < 12_000
    assert len(str(error)) < 6_000
    assert error.message.startswith("'xxx")
    assert error.message.endswith("xxx' is no ref.")
    assert "…" in error.message
    assert error.hint.startswith("Such as e5, not xxx")
    assert error.data["field"].startswith("xxx")
    assert len(error.message) < 1_100
    assert len(error.data["field"]) < 300


@pytest.mark.parametrize("kind", [errors.JsError, errors.LaunchFailed])
def test_error_does_not_truncate_page_or_browser_output(
    kind: type[errors.TabwardenError],
) -> None:
    said = "x" * 9_000
    assert kind(said, stack=said, stderr=said).to_dict()["data"] == {"stack": said, "stderr": said}


def test_error_without_a_hint_prints_only_its_message() -> None:
    error = errors.BrowserGone("It went.")
    assert str(error) == "browser_gone: It went."
    assert json.loads(json.dumps(error.to_dict())) == {
        "code": "browser_gone",
        "message": "It went.",
        "hint": "",
        "data": {},
    }
