"""Boxes in the outline: each element's position in the tab's viewport."""

from __future__ import annotations

from support.site import Site

from tabwarden.sync import Browser

PLACED = (
    "<style>* {{ margin: 0; border: 0; padding: 0 }}</style>"
    "<button style='position:absolute;left:20px;top:{top}px;width:100px;height:30px'>{name}"
    "</button>"
)


def test_each_ref_has_its_box_in_the_viewport_of_the_tab(browser: Browser, site: Site) -> None:
    browser.resize(800, 600)
    site.page("/inner", PLACED.format(top=10, name="[ref=e1] Inner"))
    frame = "width:300px;height:200px;position:absolute;left:50px;top:100px;transform:scale(0.5);"
    site.page(
        "/",
        PLACED.format(top=2_000, name="Below")
        + f"<iframe src='{site.there}/inner' style='{frame}transform-origin:0 0'></iframe>",
    )
    browser.goto(f"{site.here}/")
    plain = browser.snapshot()
    seen = browser.snapshot(boxes=True)

    inner, below = seen.ref("[ref=e1] Inner"), seen.ref("Below")
    assert f'button "[ref=e1] Inner" [ref={inner}] [box=60,105,50,15]' in seen.text
    assert f'button "Below" [ref={below}] [box=20,2000,100,30]' in seen.text
    assert seen.refs[below]["box"] == [20, 2000, 100, 30]
    assert "box=" not in plain.text
    assert "box" not in plain.refs[below]
    browser.evaluate("scrollTo({top: 1000, behavior: 'instant'})")
    assert f"[ref={below}] [box=20,1000,100,30]" in browser.snapshot(ref=below, boxes=True).text
    assert browser.snapshot(diff=True).text.count("box=") == 0
