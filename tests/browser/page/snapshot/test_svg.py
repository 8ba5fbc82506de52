"""SVG shapes: which are listed, and how they are described."""

from __future__ import annotations

import re

from support.reading import body
from support.site import Site

from tabwarden.sync import Browser

LISTENS = """<script>for (const one of document.querySelectorAll(".acts"))
  one.addEventListener("click", () => 0)</script>"""


def outline(browser: Browser, site: Site, page: str) -> list[str]:
    browser.goto(site.page("/", page))
    text = browser.snapshot(max_chars=None).text
    return [re.sub(r" \[ref=e\d+\]", "", line.removeprefix("- ")) for line in body(text)]


def test_snapshot_shows_the_tag_color_and_size_of_a_clickable_svg_shape(
    browser: Browser, site: Site
) -> None:
    page = """<svg width=120 height=40>
    <circle class=acts cx=12 cy=12 r=8 fill=aqua></circle>
    <rect class=acts id="(-1,2)" x=30 width=15 height=20 style="fill: #123456"></rect>
    <path class="acts slice" d="M60 0h20v20h-20z" fill=red></path>
    <text class=acts x=90 y=20 font-size=20 style="font-family: monospace">7</text></svg>"""
    lines = outline(browser, site, page + LISTENS)
    lines[3] = re.sub(r"\d+x\d+", "WxH", lines[3])
    assert lines == [
        'generic class="acts" svg="circle aqua 16x16"',
        'generic id="(-1,2)" svg="rect #123456 15x20"',
        'generic class="acts slice"',
        'generic "7" svg="text black WxH"',
    ]


def test_snapshot_lists_the_shapes_of_a_small_drawing(browser: Browser, site: Site) -> None:
    page = """<svg width=120 height=60 class=acts>
    <g><rect width=50 height=40 fill=none stroke=black></rect></g>
    <polygon points="60,20 70,0 80,20" fill=red></polygon>
    <text x=90 y=20 fill=blue>B</text></svg>"""
    for drawing in (page, page.replace("class=acts", "")):
        lines = [
            line.strip().removeprefix("- ") for line in outline(browser, site, drawing + LISTENS)
        ]
        assert lines[-3:-1] == [
            'img svg="rect outline black 50x40"',
            'img svg="polygon red 20x20"',
        ]
        assert lines[-1].startswith('img "B" svg="text blue ')


def test_snapshot_omits_the_shapes_of_icons_and_large_drawings(
    browser: Browser, site: Site
) -> None:
    circle, many = "<circle cx=9 cy=9 r=9></circle>", "<rect width=9 height=9></rect>" * 500
    for page in (
        f"<p>One<svg width=20 height=20>{circle}</svg></p>",
        f"<p>One<svg width=90 height=90>{circle}<path d='M0 0h9v9z'></path></svg></p>",
        f"<p>One<svg width=90 height=90>{many}</svg></p>",
        f"<p>One<svg width=90 height=90 aria-hidden=true>{circle}</svg></p>",
    ):
        assert outline(browser, site, page) == ['text "One"']
    dots = f"<svg width=40 height=40>{circle}</svg>" * 300
    assert len(outline(browser, site, dots)) == 100
    button = f"<button>One<svg width=90 height=90>{circle}</svg></button>"
    assert outline(browser, site, button) == ['button "One"']
