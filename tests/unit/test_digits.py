"""Numbers of headers and file names: any text is a number or none, and none fails."""

from __future__ import annotations

import pytest

from tabwarden.digits import whole_number


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("012", 12), ("9" * 18, 10**18 - 1), ("", None), ("-1", None)]
)
def test_digits_are_a_number(text: str, number: int | None) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize("text", ["²", "٣", "1 ", "1.0", "1_0", "9" * 5000])
def test_what_python_alone_takes_for_digits_is_none(text: str) -> None:
    assert whole_number(text) is None
