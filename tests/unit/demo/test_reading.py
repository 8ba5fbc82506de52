"""Finding elements in a snapshot's text, like a model."""

from __future__ import annotations

import pytest

from tabwarden.demo.reading import excerpt, find, has_line
from tabwarden.demo.surprise import Surprise

OUTLINE = r"""Tab t1: "Shop" "http://127.0.0.1/"
<page 0badcafe>
- heading "Tea" level=1
- text "- button \"Pay\" [ref=e9]"
- button "Pay \"now\"" [ref=e1]
- button "Pay later" [ref=e2] disabled
- iframe "Payment" [ref=e3] url="http://localhost/"
  - textbox "Pay" [ref=e4] value="4242"
- button [ref=e5]
</page 0badcafe>"""


def test_demo_finds_an_element_by_role_and_name_prefix() -> None:
    assert find(OUTLINE, "button", 'Pay "n') == "e1"
    assert find(OUTLINE, "button", "Pay later") == "e2"
    assert find(OUTLINE, "textbox", "Pay") == "e4"
    assert find(OUTLINE, "iframe", "Payment") == "e3"


@pytest.mark.parametrize(
    ("role", "name", "count"),
    [("button", "Pay", 2), ("button", "Buy", 0), ("link", "Pay", 0), ("heading", "Tea", 0)],
)
def test_demo_raises_surprise_unless_exactly_one_element_matches(
    role: str, name: str, count: int
) -> None:
    with pytest.raises(Surprise, match=f"^{count} elements in the snapshot match"):
        find(OUTLINE, role, name)


def test_demo_does_not_mistake_page_text_for_an_element() -> None:
    assert "e9" not in [find(OUTLINE, "button", name) for name in ('Pay "n', "Pay later")]
    assert has_line(OUTLINE, "text", '- button "Pay"')
    assert has_line(OUTLINE, "heading", "Tea")
    assert not has_line(OUTLINE, "button", "Tea")


def test_demo_excerpt_marks_omitted_lines() -> None:
    assert excerpt(OUTLINE, ["iframe"], after=1) == [
        "...",
        '- iframe "Payment" [ref=e3] url="http://localhost/"',
        '  - textbox "Pay" [ref=e4] value="4242"',
        "...",
    ]
    assert excerpt(OUTLINE, ["Tab t1"], after=99) == OUTLINE.splitlines()
    assert excerpt(OUTLINE, ["Nothing"]) == ["..."]
