"""Screenshots with a chosen scale: details up close, and pixels that are CSS pixels."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from support.running import running_chromium
from support.site import Site

from tabwarden.errors import InvalidArgument
from tabwarden.page import Screenshot
from tabwarden.sync import Browser

# Lines of one pixel each at four times the scale, which an image of the normal scale can't show.
FINE = """<style>* { margin: 0 } svg { position: absolute; left: 0; top: 0 }</style>
<svg width=320 height=180><rect x=40.25 width=0.25 height=180 />
<rect x=40.75 width=0.25 height=180 />
</svg><p style='margin: 300px 0 0 2000px; height: 3000px'>both scroll bars"""
LOG = """<script>window.changes = [];
addEventListener('resize', () => changes.push('resize'));
for (const query of ['(min-resolution: 1.5dppx)', '(min-width: 1300px)'])
  matchMedia(query).addEventListener('change', () => changes.push(query));
addEventListener('click', (e) => (window.at = [e.clientX, e.clientY]));</script>"""


def grey(picture: Screenshot) -> Image.Image:
    return Image.open(io.BytesIO(picture.data)).convert("L")


@pytest.fixture
def page(browser: Browser, site: Site) -> Browser:
    browser.resize(1280, 720)
    browser.goto(site.page("/", FINE + LOG))
    return browser


def test_clip_with_a_scale_shows_details_that_no_larger_copy_of_the_screenshot_has(
    page: Browser,
) -> None:
    clip = {"x": 0, "y": 0, "width": 320, "height": 180}
    picture = page.screenshot(clip=clip, scale=4)
    image = grey(picture)
    assert image.size == (picture.width, picture.height) == (1280, 720)
    assert picture.scale == pytest.approx(4)
    row = [image.getpixel((x, 300)) for x in range(158, 168)]
    assert [at for at, value in enumerate(row) if value < 60] == [3, 5]  # 161 and 163
    usual = grey(page.screenshot(clip=clip))
    assert min(usual.getpixel((x, 75)) for x in range(38, 44)) > 60
    assert page.evaluate("changes").value == []


def test_screenshot_clip_and_click_agree_on_the_viewport_of_a_page_with_scroll_bars(
    page: Browser,
) -> None:
    whole = {"x": 0, "y": 0, "width": 1280, "height": 720}
    assert page.evaluate("innerWidth - visualViewport.width").value > 0
    for arguments in ({}, {"scale": 1}, {"clip": whole}, {"clip": whole, "scale": 1}):
        assert grey(page.screenshot(**arguments)).size == (1280, 720)  # type: ignore[arg-type]
    corner = page.screenshot(clip={"x": 1270, "y": 700, "width": 100, "height": 100}, scale=2)
    assert grey(corner).size == (20, 40)
    page.mouse("click", 1279, 719, pixels="css")
    page.mouse("click", 19, 39)  # in pixels of the last screenshot, of the corner
    assert page.evaluate("at").value == [1279, 719]


def test_scaled_clip_stays_within_the_limits_and_says_so(page: Browser) -> None:
    whole = {"x": 0, "y": 0, "width": 1280, "height": 720}
    picture = page.screenshot(clip=whole, scale=8)
    assert picture.width * picture.height <= 4_000_000
    assert "scaled to 2" in picture.note
    small = page.screenshot(clip=whole, scale=2, max_pixels=230_400, max_bytes=100_000)
    assert small.width * small.height <= 230_400
    assert page.screenshot(clip={**whole, "width": 20, "height": 10}, scale=32).width == 640
    tiny = page.screenshot(scale=0.1)
    assert (tiny.width, tiny.height) == (128, 72)
    for wrong in ({"x": 1300, "y": 0}, {"x": -50, "y": 0}, {"x": 0, "y": 720}):
        with pytest.raises(InvalidArgument, match="outside the page"):
            page.screenshot(clip={"width": 40, "height": 40, **wrong}, scale=2)


@pytest.mark.parametrize("scale", [1, 2, 0.5, 1.5])
@pytest.mark.whole
def test_scale_counts_css_pixels_on_a_display_of_double_density(
    scale: float, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", FINE + LOG))
    browser.emulate(device="Desktop Chrome HiDPI")
    try:
        assert browser.evaluate("devicePixelRatio").value == 2
        assert browser.screenshot().scale == 2
        picture = browser.screenshot(scale=scale)
        sides = browser.evaluate("[innerWidth, innerHeight]").value
        assert grey(picture).size == tuple(round(side * scale) for side in sides)
        clip = {"x": 10, "y": 10, "width": 100, "height": 50}
        assert grey(browser.screenshot(clip=clip, scale=scale)).size == (100 * scale, 50 * scale)
    finally:
        browser.emulate(reset=True)


@pytest.fixture
def dense_port(folder: Path) -> Iterator[int]:
    with running_chromium(folder, "--force-device-scale-factor=2", "--window-size=900,700") as port:
        yield port


@pytest.mark.parametrize("zoom", [1.0])
def test_scale_counts_css_pixels_in_an_attached_browser_of_double_density(
    zoom: float, dense_port: int, site: Site
) -> None:
    with Browser.connect(f"http://127.0.0.1:{dense_port}") as browser:
        browser.goto(site.page("/", FINE + LOG))
        assert browser.evaluate("devicePixelRatio").value == 2 * zoom
        width, height = browser.evaluate("[innerWidth, innerHeight]").value
        assert grey(browser.screenshot()).size == (2 * width, 2 * height)
        assert grey(browser.screenshot(scale=1)).size == (width, height)
        browser.mouse("click", 50, 60, pixels="css")
        assert browser.evaluate("at").value == [50, 60]
