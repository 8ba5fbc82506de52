"""A dialog reports its own frame, beside any other frame, and the page stays readable."""

from __future__ import annotations

import pytest
from support.asking import pending_dialogs
from support.eventually import eventually
from support.shared import Shared
from support.site import Site

from tabwarden.sync import Browser

INNER = "&lt;p&gt;in&lt;/p&gt;"
KINDS = {
    "srcdoc": f'<iframe srcdoc="{INNER}"></iframe>',
    "sandboxed srcdoc": (
        f'<iframe sandbox="allow-scripts allow-same-origin" srcdoc="{INNER}"></iframe>'
    ),
    "same origin": '<iframe src="/inner"></iframe>',
    "sandboxed": '<iframe sandbox="allow-scripts" src="/inner"></iframe>',
    "sandboxed with modals": '<iframe sandbox="allow-scripts allow-modals" src="/inner"></iframe>',
    "sandboxed with modals, same origin": (
        '<iframe sandbox="allow-scripts allow-modals allow-same-origin" src="/inner"></iframe>'
    ),
    "srcdoc in sandboxed": (
        '<iframe sandbox="allow-scripts allow-same-origin" src="/around"></iframe>'
    ),
    "other site": '<iframe src="{there}/inner"></iframe>',
    "about:blank": "<iframe></iframe>",
}  # fmt: skip
REFUSED = ("sandboxed srcdoc", "sandboxed", "srcdoc in sandboxed")


@pytest.fixture
def browser(shared: Shared) -> Browser:
    """A browser in which the debugger is enabled late, because no dialog was closed remotely."""
    if shared.fresh().state.contested:
        shared.close()
    return shared.fresh()


def show(browser: Browser, site: Site, *kinds: str) -> None:
    """Show a page with these children, in this order."""
    site.page("/inner", "<p>in</p>")
    site.page("/around", KINDS["srcdoc"])
    children = "".join(KINDS[kind] for kind in kinds).replace("{there}", site.there)
    browser.goto(site.page("/", f"<h1>Out</h1>{children}"))


def asks(browser: Browser, frame_id: str) -> None:
    browser.evaluate("setTimeout(() => { window.got = confirm('Who?') }, 0); 0", frame_id=frame_id)


def answered_from(browser: Browser, frame_id: str) -> None:
    """The dialog reports its frame, and the page can be read behind it."""
    (dialog,) = pending_dialogs(browser, 1)
    assert (dialog.frame_id, dialog.channel) == (frame_id, "debugger")
    snapshot = browser.snapshot()
    assert not snapshot.stale
    assert "Out" in snapshot.text
    browser.dialog("accept")
    assert browser.evaluate("got", frame_id=frame_id).value is True


@pytest.mark.whole
@pytest.mark.parametrize("beside", KINDS)
def test_dialog_of_the_top_frame_has_the_top_frames_id_beside_a_child_frame(
    beside: str, browser: Browser, site: Site
) -> None:
    show(browser, site, beside)
    top = browser.state.frame_tree.top
    assert top is not None
    asks(browser, top.frame_id)
    answered_from(browser, top.frame_id)


@pytest.mark.parametrize("beside", KINDS)
@pytest.mark.parametrize("who", KINDS)
def test_dialog_of_a_child_frame_has_its_own_frame_id_beside_a_sibling_frame(
    who: str, beside: str, browser: Browser, site: Site
) -> None:
    show(browser, site, who, beside)
    tree = browser.state.frame_tree
    assert tree.top is not None
    asker = next(f for f in tree.children if f.parent_frame_id == tree.top.frame_id)
    if who == "srcdoc in sandboxed":
        asker = next(f for f in tree.children if f.parent_frame_id == asker.frame_id)
    asks(browser, asker.frame_id)
    if who not in REFUSED:
        answered_from(browser, asker.frame_id)
        return
    got = "'got' in window ? String(got) : ''"
    value = eventually(lambda: browser.evaluate(got, frame_id=asker.frame_id).value)
    assert value == "false"
    assert browser.state.pending_dialogs == ()


@pytest.mark.parametrize("who", ["opener", "popup"])
def test_dialog_has_its_own_pages_frame_id_when_two_pages_share_a_process(
    who: str, browser: Browser, site: Site
) -> None:
    site.page("/popup", "<h1>Out</h1>")
    browser.goto(
        site.page("/", "<h1>Out</h1><button onclick=\"window.open('/popup')\">Open</button>")
    )
    opener = browser.state.active_tab_id
    browser.click(browser.snapshot().ref("Open"))
    popup = eventually(lambda: next((t for t in browser.state.tabs if t.opener_tab_id), None))
    browser.wait(load_state="load", tab_id=popup.tab_id)
    asker = opener if who == "opener" else popup.tab_id
    assert asker is not None
    browser.tabs("switch", tab_id=asker)
    top = browser.state.frame_tree.top
    assert top is not None
    asks(browser, top.frame_id)
    answered_from(browser, top.frame_id)
