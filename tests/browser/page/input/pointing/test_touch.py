"""Touch: taps, swipes and pinches, with and without an emulated touch screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.site import Site

from tabwarden.errors import InvalidArgument
from tabwarden.sync import Browser

PAGE = """<meta name=viewport content="width=device-width"><style>* { margin: 0 }</style>
<button style='width:200px;height:60px'>Buy</button><div style='height:4000px;width:100%'></div>
<script>const log = [];
for (const kind of ['touchstart', 'touchmove', 'touchend', 'click', 'contextmenu'])
  addEventListener(kind, e => log.push([kind, e.pointerType ?? e.touches?.length]), true);
</script>"""


@pytest.fixture(autouse=True)
def leave_no_device(browser: Browser) -> Iterator[None]:
    yield
    browser.emulate(reset=True)


@pytest.mark.parametrize("device", ["", "iPhone 13"])
def test_touch_taps_and_swipes_on_any_page(device: str, browser: Browser, site: Site) -> None:
    browser.emulate(device=device)
    browser.goto(site.page("/", PAGE))
    browser.touch("tap", browser.snapshot().ref("Buy"))
    assert browser.evaluate("log").value[-1] == ["click", "touch"]
    picture = browser.screenshot()
    browser.evaluate("log.length = 0")
    browser.touch("tap", x=100 * picture.scale, y=30 * picture.scale)
    assert ["click", "touch"] in browser.evaluate("log").value
    done = browser.touch("swipe", direction="up", distance=200)
    assert done.value["y"] > 100
    assert done.value["scale"] == pytest.approx(1)
    browser.evaluate("scrollTo({top: 0, behavior: 'instant'}); log.length = 0")
    browser.touch("swipe", x=50, y=300, to_x=50, to_y=100, pixels="css")
    kinds = [one[0] for one in browser.evaluate("log").value]
    assert kinds.count("touchmove") > 3
    assert "click" not in kinds


@pytest.mark.long
def test_touch_pinches_with_two_fingers(browser: Browser, site: Site) -> None:
    browser.emulate(device="iPhone 13")
    browser.goto(site.page("/", PAGE))
    zoomed = browser.touch("pinch", scale=2).value["scale"]
    assert zoomed > 1.5
    assert ["touchstart", 2] in browser.evaluate("log").value
    browser.screenshot()
    browser.evaluate("log.length = 0")
    assert browser.touch("pinch", scale=0.4).value["scale"] < zoomed


def test_mouse_hits_a_point_from_a_screenshot_of_a_zoomed_page(
    browser: Browser, site: Site
) -> None:
    browser.emulate(device="iPhone 13")
    dot = "<div id=dot style='position:absolute;left:180px;top:330px;width:20px;height:20px'></div>"
    browser.goto(site.page("/", f"{PAGE}{dot}<script>onclick = e => title = e.target.id</script>"))
    browser.evaluate("onclick = e => document.title = e.target.id")
    browser.touch("pinch", scale=2.5)
    picture = browser.screenshot()
    left, top, zoom = browser.evaluate(
        "[visualViewport.pageLeft, visualViewport.pageTop, visualViewport.scale]"
    ).value
    assert zoom > 1.5
    device = picture.width / 390
    browser.mouse("click", (190 - left) * zoom * device, (340 - top) * zoom * device)
    assert browser.evaluate("document.title").value == "dot"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"mode": "tickle"}, "mode"),
        ({"mode": "tap"}, "ref"),
        ({"mode": "tap", "ref": "e1", "x": 1, "y": 1}, "x"),
        ({"mode": "tap", "ref": "e1", "scale": 2}, "scale"),
        ({"mode": "swipe"}, "direction"),
        ({"mode": "swipe", "direction": "in"}, "direction"),
        ({"mode": "swipe", "direction": "up", "to_x": 1, "to_y": 1}, "direction"),
        ({"mode": "pinch"}, "scale"),
        ({"mode": "pinch", "scale": 50}, "scale"),
    ],
)
def test_touch_rejects_invalid_arguments(
    arguments: dict[str, object], field: str, browser: Browser
) -> None:
    with pytest.raises(InvalidArgument) as wrong:
        browser.touch(**arguments)  # type: ignore[arg-type]
    assert wrong.value.data["field"] == field
