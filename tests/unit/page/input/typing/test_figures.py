"""Numbers are compared in any formatting; other text is not compared."""

from __future__ import annotations

import pytest

from tabwarden.page.input.typing.figures import is_another_number


@pytest.mark.parametrize(
    ("typed", "held"),
    [
        ("12,50", "1250"),
        ("-12.50", "1250"),
        ("-12.50", "12.50"),
        ("12.50", "-12.50"),
        ("12.5", "125"),
        ("1250", "12.50"),
        ("1.250", "1250"),
        ("-5", "5"),
        (".5", "5"),
        ("12.505", "$12.51"),
        ("1250", "1,250.50"),
        ("-5", "5 %"),
    ],
)
def test_number_check_detects_a_different_number(typed: str, held: str) -> None:
    assert is_another_number(typed, held)


@pytest.mark.parametrize(
    ("typed", "held"),
    [
        ("1250", "1,250"),
        ("1250", "1.250"),
        ("1250", "1 250"),
        ("1250", "1'250.00"),
        ("1,250", "1250"),
        ("1,250", "1.25"),
        ("12,50", "12.5"),
        ("12.50", "12,50 €"),
        ("1250.5", "$1,250.50"),
        ("-12.50", "\u221212.50"),
        ("-12.50", "-$12.50"),
        ("-12.50", "($12.50)"),
        ("1234567", "12,34,567.00"),
        ("+5", "5"),
        (".5", "0.50"),
        ("0.5", ".5"),
        # Strings of digits that are not numbers.
        ("12345678", "12.34.56.78"),
        ("4155550123", "(415) 555-0123"),
        ("+4915112345678", "+49 151 12345678"),
        ("0612345678", "06 12 34 56 78"),
        ("0612", "06.12"),
        ("4111111111111111", "4111 1111 1111 1111"),
        ("1225", "12/25"),
        ("1230", "12:30"),
        ("12.05", "12.05.2024"),
        ("2024-02-29", "20240229"),
        ("abc", "5"),
        ("5", ""),
        ("", "5"),
    ],
)
def test_number_check_ignores_formatting_and_text_without_numbers(typed: str, held: str) -> None:
    assert not is_another_number(typed, held)
