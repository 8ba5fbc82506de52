"""A page that is busy, and asks while a navigation of its tab is in flight.

Natively that wedges a tab for good: the dialog is told, and cannot be answered in a document that
is on its way out (docs/facts.md, "Dialogs of documents that are being left").
"""

from __future__ import annotations

from typing import Literal

import pytest
from support.eventually import eventually
from support.pace import long_before
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.errors import NoDialog
from tabwarden.sync import Browser

BUSY = """<h1>Busy</h1><script>
const go = () => {
  const until = performance.now() + 1500;
  while (performance.now() < until);
  window.got = confirm('Late?');
};
</script>"""
ROUNDS = 10


LONG = [pytest.param(mode, marks=pytest.mark.long) for mode in ("debugger", "xhr")]


@pytest.mark.parametrize("mode", ["auto", *LONG])
@pytest.mark.timeout(180)
def test_confirm_during_a_pending_navigation_does_not_block_the_tab(
    mode: Literal["auto", "debugger", "xhr"], site: Site
) -> None:
    busy = site.page("/busy", BUSY)
    with Browser.launch(config=BrowserConfig(dialog_bridge=mode)) as browser:
        for number in range(ROUNDS):
            browser.goto(busy)
            browser.evaluate("setTimeout(go); 0")
            there = site.page(f"/{number}", f"<h1>Next {number}</h1>")
            with long_before(20):
                browser.goto(there, timeout_ms=20_000)
            for dialog in browser.state.pending_dialogs:
                with long_before(20):
                    try:
                        browser.dialog("accept", dialog_id=dialog.id, timeout_ms=20_000)
                    except NoDialog:  # its page was just closed
                        assert browser.state.pending_dialogs == ()
            assert browser.state.pending_dialogs == ()
            # Whatever its URL is now, the tab works: it runs scripts and navigates.
            assert browser.evaluate("1 + 1", timeout_ms=20_000).value == 2
            browser.goto(there, timeout_ms=20_000)
            assert browser.evaluate("document.body.innerText").value == f"Next {number}"
        assert len(browser.state.tabs) == 1
        assert browser.state.tabs[0].generation == 1, "no tab had to be replaced"


def test_dialog_action_rejects_an_answer_for_a_removed_frame(
    own_browser: Browser, site: Site
) -> None:
    """Tabwarden rejects the answer itself: a late answer can crash the browser."""
    site.page("/inner", "<script>alert('in frame')</script>")
    page = (
        "<p>outer</p><button>Go</button>"
        f"<iframe id=frame src={site.there}/inner></iframe>"
        "<script>setTimeout(() => frame.remove(), 700)</script>"
    )
    own_browser.goto(site.page("/", page), timeout_ms=10_000)
    closed = eventually(lambda: own_browser.state.recent_dialogs)
    assert [(one.message, one.closed_by) for one in closed] == [("in frame", "remote")]
    with pytest.raises(NoDialog):
        own_browser.dialog("accept", dialog_id=closed[0].id)
    assert own_browser.evaluate("document.querySelector('button').textContent").value == "Go"
