"""Numbers in headers and file names: parsing never fails."""

from __future__ import annotations

import pytest

from tabwarden.digits import whole_number


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("012", 12), ("9" * 18, 10**18 - 1), ("", None), ("-1", None)]
)
def test_whole_number_reads_plain_digits(text: str, number: int | None) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize("text", ["²", "٣", "1 ", "1.0", "1_0", "9" * 5000])
def test_whole_number_rejects_digits_that_only_python_accepts(text: str) -> None:
    assert whole_number(text) is None
