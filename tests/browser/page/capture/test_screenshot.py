"""Screenshots: their content, their size limits, and no leftovers on the page."""

from __future__ import annotations

import math
import time

import pytest
from support.pixels import colours, size
from support.site import Site
from support.telling import hang

from tabwarden.errors import InvalidArgument, NotInteractable, StaleRef
from tabwarden.page.capture.picture import size_of
from tabwarden.recording.pictures import PICTURE_AFTER_S
from tabwarden.sync import Browser

BARE = "<style>* { margin: 0; padding: 0; border: 0; scrollbar-width: none }</style>"
STRIPES = BARE + "".join(
    f"<div style='height:1000px;background:{colour}'></div>"
    for colour in ("red", "green", "blue", "yellow")
)


def button(style: str = "", name: str = "Buy") -> str:
    return f"<button style='background:blue;border:0;{style}'>{name}</button>"


@pytest.fixture
def sized(browser: Browser) -> Browser:
    browser.resize(800, 600)
    return browser


@pytest.mark.parametrize("image_format", ["png", "jpeg", "webp"])
def test_screenshot_shows_the_viewport_in_each_format(
    image_format: str, sized: Browser, site: Site
) -> None:
    sized.goto(site.page("/", STRIPES))
    sized.evaluate("scrollTo({top: 700, behavior: 'instant'})")
    picture = sized.screenshot(image_format=image_format)  # type: ignore[arg-type]
    assert picture.media_type == f"image/{image_format}"
    assert (picture.width, picture.height) == size(sized, picture) == (800, 600)
    assert (picture.scale, picture.note) == (1.0, "")
    assert colours(sized, picture, (100, 290), (100, 310)) == ["red", "green"]


@pytest.mark.long
def test_recorder_frame_does_not_affect_a_full_page_screenshot(sized: Browser, site: Site) -> None:
    for number in range(8):
        sized.goto(site.page(f"/{number}", STRIPES))
        time.sleep(PICTURE_AFTER_S - number * 0.005)
        picture = sized.screenshot(full_page=True)
        assert colours(sized, picture, (100, 10), (100, 3990)) == ["red", "yellow"]


@pytest.mark.parametrize("image_format", ["jpeg", "webp"])
def test_lower_quality_option_gives_a_smaller_screenshot_file(
    image_format: str, sized: Browser, site: Site
) -> None:
    noise = "Array.from({length: 4e4}, (_, i) => i * 7919 % 251).join(' ')"
    sized.goto(site.page("/", f"<p id=p><script>p.textContent = {noise}</script>"))
    fine, coarse = (
        sized.screenshot(image_format=image_format, quality=q)  # type: ignore[arg-type]
        for q in (95, 10)
    )
    assert len(coarse.data) < len(fine.data) / 2
    assert size_of(coarse.data) == size_of(fine.data) == (800, 600)


def test_full_page_screenshot_shows_the_whole_page_and_keeps_the_scroll_position(
    sized: Browser, site: Site
) -> None:
    sized.goto(site.page("/", STRIPES))
    sized.evaluate("scrollTo(0, 1500)")
    picture = sized.screenshot(full_page=True)
    assert (picture.width, picture.height, picture.note) == (800, 4000, "")
    spots = [(100, y) for y in (10, 1500, 2500, 3990)]
    assert colours(sized, picture, *spots) == ["red", "green", "blue", "yellow"]
    assert sized.evaluate("scrollY").value == 1500


def test_full_page_screenshot_scales_down_a_long_page(sized: Browser, site: Site) -> None:
    sized.goto(site.page("/", STRIPES))
    picture = sized.screenshot(full_page=True, max_pixels=1_000_000)
    assert picture.width * picture.height <= 1_000_000 * 1.01
    assert picture.scale == pytest.approx(math.sqrt(1_000_000 / (800 * 4000)), rel=0.01)
    assert picture.note == "The image is scaled to 56%."
    spots = [(100, y * picture.scale) for y in (10, 1500, 2500, 3990)]
    assert colours(sized, picture, *spots) == ["red", "green", "blue", "yellow"]


def test_full_page_screenshot_crops_an_endless_page_and_a_clip_shows_more(
    sized: Browser, site: Site
) -> None:
    page = BARE + "<div style='height:50000px;background:red'></div>" * 2
    sized.goto(site.page("/", page.replace("red", "green", 1)))
    picture = sized.screenshot(full_page=True)
    assert picture.width * picture.height <= 4_000_000
    assert (picture.width, picture.scale) == (400, 0.5)
    assert "cropped: it shows 800 x 19800 of 800 x 100000 CSS pixels" in picture.note
    assert "(0, 19800)" in picture.note
    clip = {"x": 0, "y": 49_900, "width": 800, "height": 200}
    rest = sized.screenshot(full_page=True, clip=clip)
    assert (rest.width, rest.height) == (800, 200)
    assert colours(sized, rest, (5, 90), (5, 110)) == ["green", "red"]


def test_screenshot_limits_each_side_even_without_max_pixels(sized: Browser, site: Site) -> None:
    sized.goto(site.page("/", BARE + "<div style='height:40000px'></div>"))
    picture = sized.screenshot(full_page=True, max_pixels=None, max_bytes=None)
    assert max(picture.width, picture.height) <= 16_384


def test_screenshot_scales_down_to_fit_max_bytes(sized: Browser, site: Site) -> None:
    paint = """const c = document.querySelector('canvas').getContext('2d');
        const d = c.createImageData(800, 600); let s = 1;
        for (let i = 0; i < d.data.length; i++) {
          s = (s * 48271) % 2147483647; d.data[i] = i % 4 == 3 ? 255 : s % 256;
        }
        c.putImageData(d, 0, 0);"""
    canvas = f"{BARE}<canvas width=800 height=600></canvas><script>{paint}</script>"
    sized.goto(site.page("/", canvas))
    assert len(sized.screenshot().data) > 1_000_000
    picture = sized.screenshot(max_bytes=400_000)
    assert len(picture.data) <= 400_000
    assert picture.scale < 1
    assert "within 400000 bytes" in picture.note
    assert picture.width == pytest.approx(800 * picture.scale, abs=1)


def test_screenshot_scales_down_a_large_viewport(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", STRIPES))
    browser.resize(4000, 3000)
    picture = browser.screenshot()
    assert picture.width * picture.height <= 4_000_000 * 1.01
    assert "scaled" in picture.note


def test_screenshot_clip_applies_to_the_viewport_or_the_full_page(
    sized: Browser, site: Site
) -> None:
    sized.goto(site.page("/", STRIPES))
    sized.evaluate("scrollTo({top: 900, behavior: 'instant'})")
    clip = {"x": 10, "y": 50, "width": 60, "height": 100}
    picture = sized.screenshot(clip=clip)
    assert size(sized, picture) == (60, 100)
    assert colours(sized, picture, (5, 45), (5, 55)) == ["red", "green"]
    picture = sized.screenshot(clip={**clip, "y": 1950}, full_page=True)
    assert colours(sized, picture, (5, 45), (5, 55)) == ["green", "blue"]
    picture = sized.screenshot(clip={"x": 700, "y": 0, "width": 500, "height": 20})
    assert size(sized, picture) == (100, 20)
    picture = sized.screenshot(clip={"x": -30, "y": -10, "width": 50, "height": 40})
    assert size(sized, picture) == (20, 30)
    with pytest.raises(InvalidArgument, match="outside the page") as outside:
        sized.screenshot(clip={**clip, "x": 900})
    assert outside.value.data["field"] == "clip"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"clip": {"x": 1, "y": 1, "width": 10}}, "clip"),
        ({"clip": {"x": 1, "y": 1, "width": 0, "height": 5}}, "clip"),
        ({"clip": {"x": 1, "y": 1, "width": -9, "height": 5}}, "clip"),
        ({"scale": 0}, "scale"),
        ({"scale": 33}, "scale"),
        ({"clip": {"x": float("nan"), "y": 1, "width": 9, "height": 5}}, "clip"),
        ({"clip": [1, 2, 3, 4]}, "clip"),
        ({"ref": "e1", "full_page": True}, "full_page"),
        ({"ref": "e1", "clip": {"x": 1, "y": 1, "width": 9, "height": 5}}, "clip"),
        ({"quality": 50}, "quality"),
        ({"quality": 101, "image_format": "jpeg"}, "quality"),
        ({"image_format": "gif"}, "image_format"),
        ({"max_pixels": 10}, "max_pixels"),
        ({"max_bytes": 10}, "max_bytes"),
        ({"path": 5}, "path"),
        ({"path": "a\0b.png"}, "path"),
        ({"path": "~nobody-of-that-name/a.png"}, "path"),
        ({"path": "/no/such/folder/a.png"}, "path"),
    ],
)
def test_screenshot_rejects_invalid_arguments(
    wrong: dict[str, object], field: str, browser: Browser
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        browser.screenshot(**wrong)  # type: ignore[arg-type]
    assert refused.value.data["field"] == field


@pytest.mark.parametrize("field", ["executable", "user_data_dir"])
def test_launch_rejects_a_number_in_place_of_a_path(field: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        Browser.launch(**{field: 5})  # type: ignore[arg-type]
    assert refused.value.data["field"] == field


def test_screenshot_shows_an_element_below_the_viewport(sized: Browser, site: Site) -> None:
    page = f"{STRIPES}{button('width:120px;height:40px;margin-left:30px')}"
    sized.goto(site.page("/", page))
    picture = sized.screenshot(ref=sized.snapshot().ref("Buy"))
    assert (picture.width, picture.height, picture.note) == (120, 40, "")
    assert colours(sized, picture, (2, 2), (118, 38)) == ["blue", "blue"]


def test_screenshot_shows_an_entire_element_larger_than_the_viewport(
    sized: Browser, site: Site
) -> None:
    sized.goto(site.page("/", f"{STRIPES}{button('width:1500px;height:2000px')}"))
    picture = sized.screenshot(ref=sized.snapshot().ref("Buy"))
    assert (picture.width, picture.height, picture.note) == (1500, 2000, "")
    spots = [(2, 2), (1498, 2), (2, 1998), (1498, 1998)]
    assert colours(sized, picture, *spots) == ["blue"] * 4


def test_screenshot_shows_the_visible_part_of_a_clipped_element(sized: Browser, site: Site) -> None:
    box = "height:100px;width:200px;overflow:auto;background:red"
    inner = "<div style='height:500px'></div>" + button("width:200px;height:400px;display:block")
    sized.goto(site.page("/", f"{BARE}<div style='{box}'>{inner}</div>"))
    picture = sized.screenshot(ref=sized.snapshot().ref("Buy"))
    assert picture.height == 100
    assert "is visible, because a container clips it" in picture.note
    assert colours(sized, picture, (2, 2), (2, 97)) == ["blue", "blue"]


@pytest.mark.parametrize(
    ("style", "scale"),
    [("zoom:2", 2), ("zoom:1.2", 1.2), ("transform:scale(0.5);transform-origin:0 0", 0.5)],
)
def test_screenshot_shows_an_element_in_a_zoomed_or_scaled_container(
    style: str, scale: float, sized: Browser, site: Site
) -> None:
    page = f"""{BARE}<div style="width:200px;height:100px;overflow:auto;{style}"><div
    style="height:400px"></div>{button("width:100px;height:50px")}</div>"""
    sized.goto(site.page("/", page))
    picture = sized.screenshot(ref=sized.snapshot().ref("Buy"))
    assert (picture.width, picture.height, picture.note) == (100 * scale, 50 * scale, "")
    corners = [(1, 1), (100 * scale - 2, 50 * scale - 2)]
    assert colours(sized, picture, *corners) == ["blue", "blue"]


@pytest.mark.parametrize("where", ["here", "there"])
@pytest.mark.parametrize("around", ["zoom:1.5", ""])
@pytest.mark.parametrize("own", ["zoom:1.5", "zoom:0.7;padding:7px", ""])
def test_screenshot_shows_an_element_in_a_zoomed_frame_with_a_border(
    own: str, around: str, where: str, sized: Browser, site: Site
) -> None:
    site.page("/in", f"{BARE}{button('width:100px;height:40px;margin:20px')}")
    frame = f"""<iframe src="{getattr(site, where)}/in" style="width:200px;height:90px;
    border:9px solid red;{own}"></iframe>"""
    sized.goto(site.page("/", f"<div style='{around}'>{frame}</div>"))
    picture = sized.screenshot(ref=sized.snapshot().ref("Buy"))
    width, height = picture.width, picture.height
    edges = [(0, height // 2), (width - 1, height // 2), (width // 2, 0), (width // 2, height - 1)]
    assert colours(sized, picture, *edges) == ["blue"] * 4


def test_screenshot_includes_an_elements_content_outside_its_box(
    sized: Browser, site: Site
) -> None:
    menu = button("position:absolute;top:300px;left:300px;width:80px;height:30px")
    box = f"<div style='height:50px;width:50px;overflow:hidden'>{menu}</div>"
    sized.goto(site.page("/", BARE + box))
    picture = sized.screenshot(ref=sized.snapshot().ref("Buy"))
    assert (picture.width, picture.height, picture.note) == (80, 30, "")


def test_screenshot_shows_an_element_two_cross_site_frames_deep(sized: Browser, site: Site) -> None:
    site.page("/in", f"{STRIPES}{button('width:90px;height:30px')}")
    frame = "style='width:300px;height:200px;margin-left:20px'"
    site.page("/mid", f'{STRIPES}<iframe {frame} src="{site.here}/in"></iframe>')
    sized.goto(site.page("/", f'{STRIPES}<iframe {frame} src="{site.there}/mid"></iframe>'))
    ref = sized.snapshot().ref("Buy")
    picture = sized.screenshot(ref=ref)
    for _ in range(20):  # on a busy machine frames in other processes are painted later
        if colours(sized, picture, (2, 2)) == ["blue"]:
            break
        picture = sized.screenshot(ref=ref)
    assert (picture.width, picture.height, picture.note) == (90, 30, "")
    assert colours(sized, picture, (2, 2), (87, 27)) == ["blue", "blue"]


def test_screenshot_crops_an_element_at_the_edge_of_its_frame(sized: Browser, site: Site) -> None:
    site.page("/in", f"{BARE}{button('width:90px;height:900px')}")
    frame = "style='width:300px;height:200px'"
    sized.goto(site.page("/", f'{BARE}<iframe {frame} src="{site.there}/in"></iframe>'))
    picture = sized.screenshot(ref=sized.snapshot().ref("Buy"))
    assert (picture.width, picture.height) == (90, 200)
    assert "Only 22% of the element is visible" in picture.note


def test_screenshot_fails_for_a_removed_or_hidden_element(sized: Browser, site: Site) -> None:
    sized.goto(site.page("/", button()))
    ref = sized.snapshot().ref("Buy")
    sized.evaluate("document.querySelector('button').style.display = 'none'")
    with pytest.raises(NotInteractable):
        sized.screenshot(ref=ref)
    sized.evaluate("document.querySelector('button').remove()")
    with pytest.raises(StaleRef):
        sized.screenshot(ref=ref)


def test_annotate_draws_refs_in_every_frame_and_removes_them_afterwards(
    sized: Browser, site: Site
) -> None:
    placed = "position:absolute;left:100px;top:50px;width:200px;height:60px"
    site.page("/in", BARE + button(placed, "Inner"))
    frame = f'<iframe style="width:400px;height:200px;margin-top:300px" src="{site.there}/in">'
    sized.goto(site.page("/", f"{BARE}{button(placed, 'Outer')}{frame}"))
    nodes = "document.documentElement.outerHTML"
    before = sized.evaluate(nodes).value
    sized.evaluate("new MutationObserver(m => document.title = m.length).observe("
                   "document.body, {childList: true, subtree: true})")  # fmt: skip
    spots = [(100, 80), (200, 100), (100, 380), (200, 400)]
    for _ in range(20):  # on a busy machine frames in other processes are painted later
        picture = sized.screenshot(annotate=True)
        if (seen := colours(sized, picture, *spots)) == ["tag", "blue", "tag", "blue"]:
            break
    assert seen == ["tag", "blue", "tag", "blue"]
    plain = sized.screenshot()
    assert colours(sized, plain, *spots) == ["blue"] * 4
    assert sized.evaluate(nodes).value == before


def test_annotate_returns_the_snapshot_lines_of_the_labeled_elements(
    sized: Browser, site: Site
) -> None:
    gap = "<div style='height:2000px'></div>"
    site.page("/in", BARE + button("", "Inner") + gap + button("", "Deep"))
    sized.goto(
        site.page(
            "/",
            f"{BARE}<p>Words</p>{button('', 'Outer')}<iframe src='{site.there}/in'></iframe>"
            f"{gap}{button('', 'Below')}",
        )
    )
    seen = sized.snapshot()
    lines = sized.screenshot(annotate=True).labels.split("\n")
    assert lines[0].startswith("<page ")
    assert lines[-1].startswith("</page ")
    assert f'- button "Outer" [ref={seen.ref("Outer")}]' in lines
    assert f'- button "Inner" [ref={seen.ref("Inner")}]' in lines
    assert len(lines) == 5  # with the iframe's
    whole = sized.screenshot(full_page=True, annotate=True).labels
    assert "Below" in whole
    assert "Deep" not in whole
    one = sized.screenshot(ref=seen.ref("Below"), annotate=True).labels.split("\n")
    assert one[1:-1] == [f'- button "Below" [ref={seen.ref("Below")}]']
    assert sized.screenshot().labels == ""


def test_annotate_draws_refs_on_a_full_page_and_on_one_element(sized: Browser, site: Site) -> None:
    sized.goto(site.page("/", f"{STRIPES}{button('width:120px;height:40px')}"))
    picture = sized.screenshot(full_page=True, annotate=True)
    assert colours(sized, picture, (0, 4020)) == ["tag"]
    ref = sized.snapshot().ref("Buy")
    picture = sized.screenshot(ref=ref, annotate=True)
    assert colours(sized, picture, (0, 20), (60, 39)) == ["tag", "tag"]


@pytest.mark.parametrize(("gap", "top"), [(8, 0), (8, 300), (0, 0), (0, 580)])
def test_annotate_places_labels_beside_small_icons_without_covering_them(
    gap: int, top: int, sized: Browser, site: Site
) -> None:
    icons = "".join(
        button(f"position:absolute;top:{top}px;left:{n * (20 + gap)}px;width:20px;height:20px", "")
        for n in range(12)
    )
    sized.goto(site.page("/", f"{BARE}{icons}"))
    picture = sized.screenshot(annotate=True)
    inside = [
        (n * (20 + gap) + x, top + y) for n in range(12) for x in (4, 10, 16) for y in (4, 10, 16)
    ]
    assert set(colours(sized, picture, *inside)) == {"blue"}
    rows = [top + y for y in (-28, -15, -2, 31, 44, 57) if 0 <= top + y < 600]
    tags = colours(sized, picture, *((n * (20 + gap) + 3, y) for n in range(12) for y in rows))
    assert tags.count("tag") >= 10


def test_annotate_omits_an_element_scrolled_out_of_its_container(
    sized: Browser, site: Site
) -> None:
    box = "<div style='height:100px;overflow:auto'><p style='height:200px'>"
    sized.goto(site.page("/", f"{BARE}{box}</p>{button('width:90px;height:40px')}</div>"))
    assert colours(sized, sized.screenshot(annotate=True), (0, 220)) == ["white"]


def test_screenshots_clips_and_click_points_account_for_scroll_bars(
    browser: Browser, site: Site
) -> None:
    browser.goto(
        site.page(
            "/",
            "<style>html { overflow: scroll } * { margin: 0 }</style><div style='height: 3000px'>"
            "</div><button style='position: fixed; left: 0; bottom: 0' onclick='clicks++'>Low"
            "</button><script>clicks = 0</script>",
        )
    )
    browser.resize(1280, 720)
    whole = browser.screenshot()
    assert (whole.width, whole.height, whole.scale) == (1280, 720, 1)
    for y, height in ((0, 720), (706, 14)):
        clip = browser.screenshot(clip={"x": 0, "y": y, "width": 1280, "height": height})
        assert (clip.width, clip.height) == (1280, height)
    for y in (699, 719):  # on the button, and on the bar below it
        browser.click(x=10, y=y)
    assert browser.evaluate("clicks").value == 1
    with pytest.raises(InvalidArgument) as refused:
        browser.click(x=10, y=720)
    assert refused.value.data["viewport"] == {"width": 1280, "height": 720}


def test_screenshot_on_a_double_density_screen_has_device_pixels(
    sized: Browser, site: Site
) -> None:
    sized.goto(site.page("/", f"{STRIPES}{button('width:120px;height:40px')}"))
    emulated = {"width": 800, "height": 600, "deviceScaleFactor": 2, "mobile": False}
    sized.cdp("Emulation.setDeviceMetricsOverride", emulated)
    picture = sized.screenshot()
    assert (picture.width, picture.height, picture.scale) == (1600, 1200, 2.0)
    picture = sized.screenshot(ref=sized.snapshot().ref("Buy"))
    assert (picture.width, picture.height, picture.scale) == (240, 80, 2.0)
    picture = sized.screenshot(full_page=True)
    assert picture.width * picture.height <= 4_000_000
    assert picture.scale < 2


def test_screenshot_of_a_hung_page_returns_the_last_image(sized: Browser, site: Site) -> None:
    sized.goto(site.page("/", STRIPES))
    sized.screenshot()
    hang(sized, site)
    picture = sized.screenshot(full_page=True, timeout_ms=10_000)
    assert (
        "This is the latest image of the viewport, because the page is not rendering"
        in picture.note
    )
    assert (picture.width, picture.height) == (800, 600)
    assert sized.goto("about:blank").url == "about:blank"
    assert colours(sized, picture, (5, 5)) == ["red"]


@pytest.mark.parametrize("position", ["fixed", "sticky"])
@pytest.mark.parametrize("scrolled", [0, 2990, 2350, 5000])
def test_sticky_bar_does_not_cover_an_element_screenshot(
    position: str, scrolled: int, browser: Browser, site: Site
) -> None:
    bar = f"position:{position};width:100%;height:80px;background:red"
    tall = "<div style='height:3000px'></div>"
    page = f"""<body style='margin:0'><header style='{bar};top:0'></header>{tall}
    <div id=a style='height:100px;background:blue'></div>{tall}
    <footer style='{bar};bottom:0'></footer>"""
    browser.goto(site.page("/", page))
    browser.evaluate(f"scrollTo(0, {scrolled})")
    picture = browser.screenshot(ref="css=#a")
    width, height = size(browser, picture)
    corners = [(0, 0), (width - 1, height - 1), (width / 2, height / 2)]
    assert colours(browser, picture, *corners) == ["blue"] * 3
