"""Check, uncheck and focus: each control gets the requested state with one action."""

from __future__ import annotations

import pytest
from support.site import Site

from tabwarden.errors import InvalidArgument, NotInteractable, Obscured
from tabwarden.sync import Browser

CONTROLS = """
<style>.drawn input { opacity: 0 } .drawn { position: relative }
.drawn * { position: absolute; inset: 0 auto auto 0; width: 20px; height: 20px; background: red }
</style>
<label><input type=checkbox> Plain</label>
<p><label class=drawn><input type=checkbox aria-label=Drawn><span></span></label></p><p>-</p>
<p><button role=switch aria-checked=false aria-label=Switch
  onclick="this.ariaChecked = this.ariaChecked !== 'true'">o</button>
<div role=checkbox tabindex=0 aria-checked=mixed aria-label=Mixed
  onclick="this.ariaChecked = ['mixed', 'false'].includes(this.ariaChecked)">x</div>
<label><input type=radio name=r> One</label> <label><input type=radio name=r checked> Two</label>
<input type=checkbox aria-label=Stuck onclick="event.preventDefault()">
<script>let clicks = 0; addEventListener('click', () => clicks++, true)</script>"""
NAMES = ["Plain", "Drawn", "Switch", "Mixed"]


def test_check_and_uncheck_set_each_control_to_the_requested_state(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", CONTROLS))
    seen = browser.snapshot()
    for name in NAMES:
        ref = seen.ref(name)
        assert browser.check(ref).value == {"checked": True, "changed": True}
        before = browser.evaluate("clicks").value
        assert browser.check(ref).value == {"checked": True, "changed": False}
        assert browser.evaluate("clicks").value == before
        assert browser.uncheck(ref).value == {"checked": False, "changed": True}
    browser.reload()
    seen = browser.snapshot()
    assert browser.uncheck(seen.ref("Mixed")).value == {"checked": False, "changed": True}
    assert browser.check(seen.ref("One")).value["changed"]
    assert browser.evaluate("document.querySelector('[name=r]').checked").value is True
    with pytest.raises(InvalidArgument) as radio:
        browser.uncheck(seen.ref("One"))
    assert radio.value.data["field"] == "ref"
    with pytest.raises(NotInteractable, match="did not become checked"):
        browser.check(seen.ref("Stuck"))


def test_focus_focuses_any_control_or_reports_why_it_cannot(browser: Browser, site: Site) -> None:
    site.page("/in", '<button onkeydown="document.title = event.key">Inner</button>')
    browser.goto(
        site.page(
            "/",
            f"<a href=#x>Link</a><button disabled>Off</button><p tabindex=-1>Words</p>"
            f"<button id=hide>Hide</button><h1>Title</h1><iframe src='{site.there}/in'></iframe>",
        )
    )
    seen = browser.snapshot()
    done = browser.focus(seen.ref("Link"))
    assert done.focus is not None
    assert done.focus["name"] == "Link"
    browser.focus(seen.ref("Inner"))
    browser.press("ArrowUp")
    inner = browser.state.frame_tree.children[0].frame_id
    assert browser.evaluate("document.title", frame_id=inner).value == "ArrowUp"
    heading = browser.find(text="Title").value["found"][0]["ref"]
    browser.evaluate("hide.style.visibility = 'hidden'")
    for ref, why in (
        (seen.ref("Off"), "disabled"),
        (heading, "can't be focused"),
        (seen.ref("Hide"), "hidden"),
    ):
        with pytest.raises(NotInteractable, match=why):
            browser.focus(ref)
    browser.evaluate(
        "const d = document.body.appendChild(document.createElement('dialog'));"
        "d.innerHTML = '<button>OK</button>'; d.showModal()"
    )
    with pytest.raises(Obscured):
        browser.focus(seen.ref("Link"))
