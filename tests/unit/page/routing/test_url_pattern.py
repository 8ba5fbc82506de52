"""Patterns for URLs, by Playwright's rules for its globs."""

from __future__ import annotations

import pytest

from tabwarden.errors import InvalidArgument
from tabwarden.page.routing.url_pattern import pattern_of


@pytest.mark.parametrize(
    ("pattern", "url", "matches"),
    [
        ("**/*.js", "https://localhost:8080/foo.js", True),
        ("**/*.css", "https://localhost:8080/foo.js", False),
        ("https://**/*.js", "https://localhost:8080/c/js/foo.js", True),
        ("http://localhost:8080/simple/path.js", "http://localhost:8080/simple/path.js", True),
        ("http://localhost:8080/?imple/path.js", "http://localhost:8080/Simple/path.js", False),
        ("**/{a,b}.js", "https://localhost:8080/a.js", True),
        ("**/{a,b}.js", "https://localhost:8080/c.js", False),
        ("**/*.{png,jpg,jpeg}", "https://localhost:8080/c.jpeg", True),
        ("**/*.{png,jpg,jpeg}", "https://localhost:8080/c.css", False),
        ("**foo**", "foo.js", True),
        ("**bar**", "foo.js", False),
        ("**/api\\?param", "http://x.com/api?param", True),
        ("**/three-columns/settings.html?**id=settings-**",
         "http://mydomain:8080/blah/blah/three-columns/settings.html?id=settings-e3c5&other", True),
        ("http://x/*/b", "http://x/a/c/b", False),
        ("http://x/**/b", "http://x/b", True),
        ("http://x/**/b", "http://x/a/c/b", True),
        ("**/(1)", "http://x/(1)", True),
        ("**", "data:text/html,a\nb", True),
        ("*://x.com/**", "https://x.com/", True),
        ("/\\/api\\/v[12]/", "https://x.com/api/v2/users", True),
        ("/API/", "https://x.com/api", False),
        ("/API/i", "https://x.com/api", True),
    ],
)  # fmt: skip
def test_url_patterns_match_globs_like_playwright(pattern: str, url: str, matches: bool) -> None:
    assert pattern_of(pattern)(url) is matches


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("*.js", "'**/*.js'"),
        ("/api/users", "'**/api/users'"),
        ("example.com/**", "'**/example.com/**'"),
        ("**/{a,{b}}", "nested braces"),
        ("**/{a", "has no matching '}'"),
        ("/(/", "unclosed group"),
        ("/(?=a)b/", "look-around"),
        ("", "1 to"),
    ],
)
def test_invalid_url_patterns_and_patterns_that_match_nothing_raise_an_error(
    pattern: str, words: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        pattern_of(pattern)
    assert words in f"{refused.value.message} {refused.value.hint}"
    assert refused.value.data["field"] == "url"


def test_url_patterns_cannot_hang_the_engine() -> None:
    """Python's engine would take longer than the universe is old."""
    assert not pattern_of("/^(a+)+$/")("a" * 10_000 + "!")
