"""dnd-kit: a drag starts only after a long press."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.applications import bundle, npm_packages
from support.site import Site

from tabwarden.sync import Browser

pytestmark = pytest.mark.long

SOURCE = Path(__file__).with_name("frameworks") / "dnd_kit.jsx"
PACKAGES = (
    "@dnd-kit/core@6.3.1",
    "@dnd-kit/sortable@10.0.0",
    "@dnd-kit/utilities@3.2.2",
    "react@18.3.1",
    "react-dom@18.3.1",
)


def test_drag_holds_the_button_before_it_reorders_a_dnd_kit_card(
    browser: Browser, site: Site
) -> None:
    site.pages["/script.js"] = bundle(npm_packages(*PACKAGES), SOURCE.read_text("utf-8"))
    browser.goto(site.page("/", "<div id=app></div><script src=/script.js></script>"))
    page = browser.snapshot()
    dragged = browser.drag(page.ref("Ada"), page.ref("Eve"))
    assert "only after the button was held" in dragged.note
    assert browser.evaluate("cards.innerText.split('\\n')").value == ["Bob", "Eve", "Ada"]
