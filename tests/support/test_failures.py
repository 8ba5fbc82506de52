"""Failures are told in a few lines."""

from __future__ import annotations

import pytest

from support.failures import brief


def inner(depth: int) -> None:
    if depth:
        inner(depth - 1)
    raise KeyError("lost")


def test_a_failure_shows_our_first_frames_the_last_one_and_the_error() -> None:
    with pytest.raises(KeyError) as caught:
        inner(9)
    *frames, error = brief(caught.value)
    assert [line.partition(" in ")[2] for line in frames] == [
        "test_a_failure_shows_our_first_frames_the_last_one_and_the_error: inner(9)\n",
        "inner: inner(depth - 1)\n",
        "inner: inner(depth - 1)\n",
        "",
        'inner: raise KeyError("lost")\n',
    ]
    assert error == "KeyError: 'lost'\n"


def test_a_failure_names_what_it_was_raised_from_and_each_error_of_a_group() -> None:
    error = ExceptionGroup("two", [ValueError("one"), TypeError("other")])
    error.__cause__ = OSError("the cause")
    assert "".join(brief(error)).splitlines() == [
        "ExceptionGroup: two (2 sub-exceptions)",
        "  | ValueError: one",
        "  | TypeError: other",
        "raised from OSError: the cause",
    ]
