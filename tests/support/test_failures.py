"""Failures are shown in a few lines."""

from __future__ import annotations

import pytest

from support.failures import brief


def inner(depth: int) -> None:
    if depth:
        inner(depth - 1)
    raise KeyError("lost")


def test_brief_traceback_shows_first_frames_last_frame_and_error() -> None:
    with pytest.raises(KeyError) as caught:
        inner(9)
    *frames, error = brief(caught.value)
    assert [line.partition(" in ")[2] for line in frames] == [
        "test_brief_traceback_shows_first_frames_last_frame_and_error: inner(9)\n",
        "inner: inner(depth - 1)\n",
        "inner: inner(depth - 1)\n",
        "",
        'inner: raise KeyError("lost")\n',
    ]
    assert error == "KeyError: 'lost'\n"


def test_brief_traceback_lists_the_cause_and_each_error_in_an_exception_group() -> None:
    error = ExceptionGroup("two", [ValueError("one"), TypeError("other")])
    error.__cause__ = OSError("the cause")
    assert "".join(brief(error)).splitlines() == [
        "ExceptionGroup: two (2 sub-exceptions)",
        "  | ValueError: one",
        "  | TypeError: other",
        "raised from OSError: the cause",
    ]
