"""An element's properties, in its own frame, and why it is invisible."""

from __future__ import annotations

import pytest
from support.site import Site

from tabwarden.errors import InvalidArgument, UnknownRef
from tabwarden.sync import Browser

PAGE = """<style>* { margin: 0; border: 0; padding: 0 } :root { --main: teal }</style>
<button id=b class="big one" aria-pressed=true style="color:rgb(1, 2, 3);width:100px;height:40px;
  position:absolute;left:20px;top:30px">Buy</button>
<input type=password aria-label=Pin value=secret-4711 style="position:absolute;top:100px">
<section id=s><button>Gone</button></section><script>
b.addEventListener('click', () => 0); b.onkeydown = () => 0</script>"""


def test_inspect_describes_an_element_in_its_frame_and_masks_passwords(
    browser: Browser, site: Site
) -> None:
    site.page("/in", PAGE)
    frame = "position:absolute;left:100px;top:200px;border:0;width:400px;height:300px"
    browser.goto(site.page("/", f"<iframe src='{site.there}/in' style='{frame}'></iframe>"))
    seen = browser.snapshot()
    facts = browser.inspect(seen.ref("Buy")).value
    assert (facts["tag"], facts["role"], facts["name"]) == ("button", "button", "Buy")
    assert facts["attributes"]["class"] == "big one"
    assert facts["states"]["pressed"] is True
    assert facts["styles"]["color"] == "rgb(1, 2, 3)"
    assert facts["box"] == [120, 230, 100, 40]
    assert (facts["visible"], facts["reason"], facts["in_viewport"]) == (True, "", True)
    assert facts["listeners"] == ["click", "keydown"]
    asked = browser.inspect(seen.ref("Buy"), styles=["z-index", "--main"]).value["styles"]
    assert asked == {"z-index": "auto", "--main": "teal"}
    assert "secret-4711" not in str(browser.inspect(seen.ref("Pin")).value)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("s.style.display = 'none'", "section#s has display: none"),
        ("s.style.opacity = '0'", "section#s has opacity: 0"),
        ("s.style.visibility = 'hidden'", "visibility: hidden"),
        ("s.style.cssText = 'position:absolute;top:5000px'", "outside its frame's viewport"),
        ("s.style.cssText = 'display:block;height:0;overflow:hidden'", "clips this part"),
        ("document.body.insertAdjacentHTML('beforeend', '<div role=dialog aria-label=Cover "
         "style=\"position:fixed;inset:0;background:red\"></div>')", "covered"),
    ],
)  # fmt: skip
def test_inspect_reports_why_an_element_is_invisible(
    script: str, reason: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", PAGE))
    ref = browser.snapshot().ref("Gone")
    browser.evaluate(script)
    facts = browser.inspect(ref).value
    assert facts["visible"] is False
    assert reason in facts["reason"]
    assert (facts["covered_by"] is not None) == (reason == "covered")


def test_inspect_rejects_invalid_styles_and_unknown_refs(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", PAGE))
    with pytest.raises(InvalidArgument) as wrong:
        browser.inspect(browser.snapshot().ref("Buy"), styles=["color; x"])
    assert wrong.value.data["field"] == "styles"
    with pytest.raises(UnknownRef):
        browser.inspect("e999999")
