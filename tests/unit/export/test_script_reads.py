"""Which scripts only read a page."""

from __future__ import annotations

import pytest

from tabwarden.export.plan import only_reads


@pytest.mark.parametrize(
    "script",
    [
        "1 + 1",
        "document.title",
        "document.querySelectorAll('aside li').length",
        "JSON.parse(document.querySelector('#a=b').dataset.answer)",
        "() => [...document.querySelectorAll('a')].map(one => one.href)",
        "if (innerWidth >= 800) { return 'wide' }",
    ],
)
def test_export_recognizes_a_script_that_only_reads(script: str) -> None:
    assert only_reads(script)


@pytest.mark.parametrize(
    "script",
    [
        "document.title = 'x'",
        "count++",
        "document.querySelector('form').submit()",
        "window['submit']()",
        "fetch(`/buy`)",
        "new Order()",
        "element => element.click()",
        "total += 1",
    ],
)
def test_export_recognizes_a_script_that_can_have_side_effects(script: str) -> None:
    assert not only_reads(script)
