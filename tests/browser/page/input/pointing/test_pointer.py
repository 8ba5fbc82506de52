"""Mouse actions at screenshot coordinates hit their targets, also on downscaled screenshots."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops
from support.eventually import eventually
from support.site import Site

from tabwarden.errors import InvalidArgument
from tabwarden.sync import Browser

BARE = "<style>* { margin: 0; border: 0; padding: 0; scrollbar-width: none }</style>"
HITS = "<script>addEventListener('click', e => (window.hits ??= []).push(e.target.id))</script>"
TARGETS = 20


def colour(number: int) -> tuple[int, int, int]:
    return 40 + 10 * number, 250 - 10 * number, 120 + 80 * (number % 2)


def targets(numbers: range, across: int) -> str:
    made = ""
    for at, number in enumerate(numbers):
        left, top = 10 + at % across * 55, 10 + at // across * 30
        made += (
            f"<div id=t{number} style='position:absolute;left:{left}px;top:{top}px;width:24px;"
            f"height:12px;background:rgb{colour(number)}'></div>"
        )
    return BARE + HITS + made


@pytest.fixture
def nested(browser: Browser, site: Site) -> Browser:
    """Twenty targets: in the page, in a scaled cross-site frame, and in a frame inside that."""
    browser.resize(1920, 1080)
    site.page("/deep", targets(range(14, 20), 3))
    site.page(
        "/inner",
        targets(range(7, 14), 4)
        + f"<iframe src='{site.here}/deep' style='position:absolute;left:60px;top:90px;"
        "width:300px;height:100px'></iframe>",
    )
    frame = "position:absolute;left:900px;top:500px;width:500px;height:300px;"
    url = site.page(
        "/",
        targets(range(7), 7)
        + f"<iframe src='{site.there}/inner' style='{frame}transform:scale(1.6);"
        "transform-origin:0 0'></iframe>",
    )
    browser.goto(url)
    return browser


def seen_at(image: Image.Image, number: int) -> tuple[float, float]:
    """Where a model sees a target: the center of the pixels with its color."""
    apart = ImageChops.difference(image, Image.new("RGB", image.size, colour(number)))
    red, green, blue = apart.split()
    farthest = ImageChops.lighter(red, ImageChops.lighter(green, blue))
    box = farthest.point([255] * 4 + [0] * 252).getbbox()
    assert box is not None, number
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def hits(browser: Browser) -> list[str]:
    frames = [browser.state.frame_tree.top, *browser.state.frame_tree.children]
    found: list[str] = []
    for frame in frames:
        found += browser.evaluate("window.hits ?? []", frame_id=frame.frame_id).value
    return sorted(found)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("max_pixels", "shrunk_to"),
    [
        pytest.param(4_000_000, None, marks=pytest.mark.long),
        pytest.param(1_200_000, None, marks=pytest.mark.long),
        (600_000, None),
        (4_000_000, 1280),
    ],
)
@pytest.mark.long
def test_mouse_hits_targets_at_coordinates_of_a_downscaled_screenshot(
    max_pixels: int, shrunk_to: int | None, nested: Browser
) -> None:
    picture = nested.screenshot(max_pixels=max_pixels)
    image = Image.open(io.BytesIO(picture.data)).convert("RGB")
    if shrunk_to is not None:  # by the model's host, without a report
        height = image.height * shrunk_to // image.width
        image = image.resize((shrunk_to, height), Image.Resampling.NEAREST)
    for number in range(TARGETS):
        x, y = seen_at(image, number)
        assert nested.mouse("click", x, y, picture_width=shrunk_to).status == "ok"
    assert hits(nested) == sorted(f"t{number}" for number in range(TARGETS))


@pytest.mark.long
def test_mouse_uses_css_pixels_before_a_screenshot_or_on_request(nested: Browser) -> None:
    nested.mouse("click", 20, 15)
    nested.screenshot(max_pixels=600_000)
    nested.mouse("click", 75, 15, pixels="css")
    assert hits(nested) == ["t0", "t1"]
    with pytest.raises(InvalidArgument) as outside:
        nested.mouse("click", 5_000, 15, pixels="css")
    assert outside.value.data["field"] == "x"


def test_mouse_rejects_points_from_an_outdated_screenshot(browser: Browser, site: Site) -> None:
    browser.resize(800, 600)
    url = site.page("/", f"{targets(range(3), 3)}<div style='height:3000px'></div>")
    browser.goto(url)

    def refused(words: str) -> None:
        with pytest.raises(InvalidArgument, match=words) as old:
            browser.mouse("click", 20, 15)
        assert old.value.data["picture"] == picture.id
        assert picture.id in str(old.value)

    picture = browser.screenshot()
    browser.evaluate("scrollTo({top: 200, behavior: 'instant'})")
    refused("scrolled by")
    picture = browser.screenshot()
    browser.resize(700, 600)
    refused("700 x 600")
    picture = browser.screenshot()
    browser.goto(url)
    refused("another page")
    picture = browser.screenshot()
    with pytest.raises(InvalidArgument, match="700 x 600") as outside:
        browser.mouse("drag", 20, 15, to_x=20, to_y=601)
    assert outside.value.data["field"] == "to_y"
    browser.mouse("click", 20, 15)
    assert hits(browser) == ["t0"]


@pytest.mark.long
def test_mouse_scrolls_to_a_point_from_a_full_page_screenshot(browser: Browser, site: Site) -> None:
    browser.resize(800, 600)
    far = (
        "<div id=far style='position:absolute;left:300px;top:2500px;width:40px;height:20px'></div>"
    )
    browser.goto(site.page("/", f"{targets(range(2), 2)}{far}<div style='height:4000px'></div>"))
    picture = browser.screenshot(full_page=True, max_pixels=1_000_000)
    assert picture.scale < 1
    browser.mouse("click", 320 * picture.scale, 2510 * picture.scale)
    browser.mouse("click", 20 * picture.scale, 15 * picture.scale)
    assert hits(browser) == ["far", "t0"]
    browser.evaluate("scrollTo({top: 2000, behavior: 'instant'})")
    part = browser.screenshot(clip={"x": 290, "y": 490, "width": 100, "height": 100})
    browser.mouse("click", 15 * part.scale, 15 * part.scale)
    assert hits(browser) == ["far", "far", "t0"]


MOUSE_LOG = """<script>
const log = [];
for (const kind of ['mousemove', 'mousedown', 'mouseup', 'click', 'wheel', 'keydown', 'keyup'])
  addEventListener(kind, e => {
    // A headless shell tells a new page where the mouse is, which has not moved.
    if (kind === 'mousemove' && !e.movementX && !e.movementY) return;
    log.push([kind, e.key ?? e.buttons, e.shiftKey, e.repeat ?? e.deltaY ?? 0,
              Math.round(e.clientX) || 0]);
  });
addEventListener('mousedown', e => window.down = e.timeStamp);
addEventListener('mouseup', e => window.held = e.timeStamp - window.down);
</script><body style='height:3000px'>"""


def logged(browser: Browser) -> list[list[object]]:
    found: list[list[object]] = browser.evaluate("log.splice(0)").value
    return found


def test_mouse_and_press_hold_a_button_and_a_key_until_released(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", MOUSE_LOG))
    browser.mouse("move", 100, 100)
    browser.press("Shift", mode="down")
    browser.mouse("down", modifiers=["Alt"])
    browser.mouse("move", 140, 100)
    browser.mouse("up")
    browser.press("Shift", mode="up")
    browser.mouse("click", 150, 100)
    kinds = [one for one in logged(browser) if one[0] != "keydown" and one[0] != "keyup"]
    assert kinds[0][:3] == ["mousemove", 0, False]
    assert kinds[1] == ["mousedown", 1, True, 0, 100]
    moves = [one for one in kinds if one[0] == "mousemove" and one[1] == 1]
    assert len(moves) > 1
    assert moves[-1][4] == 140
    assert ["mouseup", 0, True, 0, 140] in kinds
    assert kinds[-2] == ["mouseup", 0, False, 0, 150]
    with pytest.raises(InvalidArgument) as not_down:
        browser.mouse("up")
    assert not_down.value.data["field"] == "button"

    browser.mouse("wheel", delta_y=300, delta_x=0)
    eventually(lambda: browser.evaluate("scrollY").value == 300)
    browser.mouse("click", 100, 100, hold_ms=400)
    assert browser.evaluate("held").value >= 390


def test_held_key_repeats_until_a_dialog_interrupts_the_press(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", MOUSE_LOG))
    browser.press("ArrowRight", hold_ms=700)
    kinds = [(one[0], one[3]) for one in logged(browser)]
    assert kinds[0] == ("keydown", False)
    assert ("keydown", True) in kinds
    assert kinds[-1] == ("keyup", False)
    with pytest.raises(InvalidArgument) as too_long:
        browser.press("a", hold_ms=5_000, timeout_ms=1_000)
    assert too_long.value.data["field"] == "hold_ms"
    assert logged(browser) == []
    browser.evaluate("addEventListener('keydown', () => setTimeout(() => alert('here'), 100))")
    assert browser.press("b", hold_ms=3_000).status == "interrupted"
    browser.dialog("accept")
    logged(browser)
    browser.press("c", hold_ms=50)
    assert [(one[0], one[1], one[3]) for one in logged(browser)] == [
        ("keydown", "c", False),
        ("keyup", "c", False),
    ]


@pytest.mark.long
def test_mouse_drag_passes_through_each_point_of_its_path(browser: Browser, site: Site) -> None:
    browser.goto(
        site.page(
            "/",
            BARE + "<script>const way = []; let on = 0; onmousedown = () => on = 1;"
            "onmousemove = e => on && way.push([e.clientX, e.clientY]);"
            "onmouseup = e => { on = 0; way.push('up') }</script><body style='height:900px'>",
        )
    )
    picture = browser.screenshot()
    assert picture.scale == 1
    browser.mouse("drag", 50, 50, path=[[200, 50], [200, 200]], to_x=50, to_y=200)
    way = browser.evaluate("way").value
    assert way[-1] == "up"
    for corner in ([200, 50], [200, 200], [50, 200]):
        assert corner in way
    assert way.index([200, 50]) < way.index([200, 200]) < way.index([50, 200])


def test_mouse_drags_along_a_path_alone_while_modifiers_are_held(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", MOUSE_LOG))
    path = [[50, 50], [200, 50], [120, 90]]
    browser.mouse("drag", path=path, modifiers=["Shift"], pixels="css")
    events = [one for one in logged(browser) if one[0] in ("mousedown", "mousemove", "mouseup")]
    pressed = events[next(at for at, one in enumerate(events) if one[0] == "mousedown") :]
    assert all(one[2] for one in pressed)  # Shift
    assert [pressed[0][4], pressed[-1][4]] == [50, 120]
    assert 200 in [one[4] for one in pressed]
    assert pressed[-1][0] == "mouseup"


def test_mouse_tells_which_element_a_press_hit(browser: Browser, site: Site) -> None:
    browser.goto(
        site.page(
            "/",
            "<button style='position:absolute;left:10px;top:10px' onclick=\"location='/next'\">Buy"
            "</button><iframe title=Ad style='position:absolute;left:10px;top:80px'></iframe>",
        )
    )
    site.page("/next", "<p>next")
    ref = browser.snapshot().ref("Buy")
    browser.mouse("move", 20, 20)
    down = browser.mouse("down").value
    assert (down["ref"], down["role"], down["name"]) == (ref, "button", "Buy")
    browser.mouse("move", 300, 300)
    browser.mouse("up")
    frame = browser.mouse("click", 40, 100).value
    assert (frame["role"], frame["name"]) == ("iframe", "Ad")
    browser.mouse("click", 20, 20)
    assert browser.evaluate("location.pathname").value == "/next"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"mode": "drag", "path": [[1, 1]]}, "x"),
        ({"mode": "fly"}, "mode"),
        ({"mode": "click"}, "x"),
        ({"mode": "click", "x": 1}, "y"),
        ({"mode": "click", "x": "left", "y": 1}, "x"),
        ({"mode": "move", "x": 1, "y": 1, "count": 2}, "count"),
        ({"mode": "wheel", "x": 1, "y": 1}, "delta_y"),
        ({"mode": "drag", "x": 1, "y": 1}, "to_x"),
        ({"mode": "drag", "x": 1, "y": 1, "to_x": 2, "to_y": 2, "path": [[1]]}, "path"),
        ({"mode": "click", "x": 1, "y": 1, "path": [[1, 2]]}, "path"),
        ({"mode": "click", "x": 1, "y": 1, "picture_width": 100, "pixels": "css"}, "picture_width"),
        ({"mode": "click", "x": 1, "y": 1, "picture_width": 100}, "picture_width"),
        ({"mode": "click", "x": 1, "y": 1, "modifiers": ["Hyper"]}, "modifiers"),
    ],
)
def test_mouse_rejects_invalid_arguments(
    arguments: dict[str, object], field: str, browser: Browser
) -> None:
    with pytest.raises(InvalidArgument) as wrong:
        browser.mouse(**arguments)  # type: ignore[arg-type]
    assert wrong.value.data["field"] == field
