"""URLs with wildcards."""

from __future__ import annotations

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwarden.page.text import fits_url


@pytest.mark.parametrize(
    ("wanted", "url", "fits"),
    [
        ("shop", "https://shop.example/", True),
        ("https://*/cart", "https://shop.example/cart", True),
        ("https://*/cart", "https://shop.example/cart/2", False),
        ("*", "", True),
        ("**", "a", True),
        ("ab*ba", "aba", False),
        ("ab*ba", "abba", True),
        ("*?[a]*", "https://shop.example/?[a]", True),
        ("*b*", "a\nb", True),
    ],
)
def test_wildcard_star_matches_any_text(wanted: str, url: str, fits: bool) -> None:
    assert fits_url(wanted, url) is fits


@given(st.text("ab*"), st.text("ab"))
def test_fits_url_agrees_with_fnmatch_for_stars(wanted: str, url: str) -> None:
    assert fits_url(wanted, url) is (
        fnmatch.fnmatchcase(url, wanted) if "*" in wanted else wanted in url
    )
