"""The wheel: what it scrolls, how far, and the report that nothing moved."""

from __future__ import annotations

import pytest
from support.pace import allow
from support.reading import ref_of
from support.site import Site

from tabwarden.errors import InvalidArgument, NotInteractable, Obscured
from tabwarden.sync import Browser

LINES = "line\n" * 90
TALL = '<div style="height:3000px">tall</div>'
LIST = (
    '<div id=list style="height:200px;width:300px;overflow:auto">'
    '<button>First</button><div style="height:900px"></div></div>'
)


def frame(url: str, style: str = "width:300px;height:200px;border:0") -> str:
    return f'<iframe src="{url}" style="{style}"></iframe>'


def test_scroll_moves_the_page_by_the_given_amount_and_back(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", TALL))
    down = browser.scroll()
    assert down.value["moved"] == down.value["y"] == 500
    assert (
        down.value["left"]
        == browser.evaluate("document.documentElement.scrollHeight - innerHeight - 500").value
    )
    assert browser.evaluate("scrollY").value == 500
    assert browser.scroll("up", 200).value["y"] == 300
    assert not down.note


def test_scroll_sends_a_trusted_wheel_event_at_the_given_point(
    browser: Browser, site: Site
) -> None:
    seen = (
        "<script>addEventListener('wheel', e => "
        "window.wheel = [e.isTrusted, e.clientX, e.clientY, e.deltaX, e.deltaY])</script>"
    )
    browser.goto(site.page("/", TALL + seen))
    browser.scroll("down", 120, x=30, y=40)
    assert browser.evaluate("wheel").value == [True, 30, 40, 0, 120]


def test_scroll_reports_when_nothing_moves(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", TALL))
    assert browser.scroll("down", 100_000).value["left"] == 0
    end = browser.scroll()
    assert end.value["moved"] == 0
    assert end.value["y"] > 0
    assert "end (down)" in end.note
    sideways = browser.scroll("right")
    assert sideways.value["moved"] == 0
    assert "Nothing at this point can scroll" in sideways.note


def test_scroll_moves_a_list_and_then_the_page_at_the_lists_end(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", LIST + TALL))
    first = ref_of(browser.snapshot(), '"First"')
    whole = browser.evaluate("list.scrollHeight - list.clientHeight").value
    down = browser.scroll("down", 300, first)
    assert down.value == {"moved": 300, "x": 0, "y": 300, "left": whole - 300}
    assert browser.evaluate("[list.scrollTop, scrollY]").value == [300, 0]
    assert browser.scroll("down", 2000, x=50, y=50).value["left"] == 0
    handed_on = browser.scroll("down", 250, x=50, y=50)
    assert handed_on.value["moved"] == 250
    assert browser.evaluate("[list.scrollTop, scrollY]").value == [whole, 250]


def test_scroll_moves_the_page_left_and_right(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", '<div style="width:5000px">wide</div>'))
    assert browser.scroll("right", 700).value["x"] == 700
    assert browser.scroll("left", 200).value == {"moved": 200, "x": 500, "y": 0, "left": 500}


@pytest.mark.parametrize("where", ["here", "there"])
def test_scroll_moves_a_frame_and_then_the_page_around_it(
    where: str, browser: Browser, site: Site
) -> None:
    site.page("/inner", "<button>In it</button>" + '<div style="height:400px"></div>')
    browser.goto(site.page("/", frame(f"{getattr(site, where)}/inner") + TALL))
    inside = ref_of(browser.snapshot(), '"In it"')
    inner = browser.state.frame_tree.children[0].frame_id
    assert browser.scroll("down", 100, inside).value["moved"] == 100
    assert browser.evaluate("scrollY", frame_id=inner).value == 100
    assert browser.scroll("down", 10_000, x=50, y=50).value["left"] == 0
    assert browser.evaluate("scrollY").value == 0
    assert browser.scroll("down", 150, x=50, y=50).value["moved"] == 150
    assert browser.evaluate("scrollY").value == 150


def test_scroll_reports_when_the_page_handled_the_wheel_event(browser: Browser, site: Site) -> None:
    taking = "<script>addEventListener('wheel', e => e.preventDefault(), {passive: false})</script>"
    browser.goto(site.page("/", TALL + taking))
    taken = browser.scroll()
    assert taken.value["moved"] == 0
    assert "handled the wheel" in taken.note


@pytest.mark.long
def test_scroll_fails_on_a_covered_element(browser: Browser, site: Site) -> None:
    cover = '<div style="position:fixed;inset:0;background:#fff">cover</div>'
    browser.goto(site.page("/", "<button>Under</button>" + TALL + cover))
    with pytest.raises(Obscured):
        browser.scroll("down", 100, ref_of(browser.snapshot(), '"Under"'), timeout_ms=allow(1_000))


def test_dialog_in_onscroll_interrupts_scroll(browser: Browser, site: Site) -> None:
    browser.goto(
        site.page(
            "/",
            TALL + "<script>addEventListener('scroll', () => alert('far'), {once: true})</script>",
        )
    )
    result = browser.scroll()
    assert result.interrupted
    assert result.by is not None
    assert result.by["dialog"]["message"] == "far"
    browser.dialog("accept")


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"direction": "in"}, "direction"), ({"amount": 0}, "amount"), ({"x": 5}, "y")],
)
def test_scroll_rejects_invalid_arguments(
    wrong: dict[str, object], field: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", TALL))
    with pytest.raises(InvalidArgument) as caught:
        browser.scroll(**wrong)
    assert caught.value.data["field"] == field


def test_scroll_moves_the_content_of_a_disabled_textarea(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", f"<textarea disabled rows=3>{LINES}</textarea>"))
    assert (
        browser.scroll("down", 100, ref=ref_of(browser.snapshot(), "textbox")).value["moved"] == 100
    )


def test_scroll_waits_for_its_own_movement_while_an_earlier_one_ends(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<div style='width:4000px;height:4000px'></div>"))
    for _ in range(3):
        browser.mouse("wheel", 200, 200, delta_y=300)  # returns while the page still scrolls
        assert browser.scroll("right", 300).value["moved"] == 300


@pytest.mark.parametrize("where", ["page", "list", "frame"])
@pytest.mark.whole
def test_scroll_by_nothing_brings_the_element_into_view(
    where: str, browser: Browser, site: Site
) -> None:
    button = "<div style='height:2500px'></div><button>Far</button><div style='height:900px'></div>"
    pages = {
        "page": button,
        "list": f"<div style='height:200px;overflow:auto'>{button}</div>",
        "frame": f"<div style='height:1500px'></div>{frame(f'{site.there}/inner')}",
    }
    site.page("/inner", button)
    browser.goto(site.page("/", pages[where]))
    ref = ref_of(browser.snapshot(), '"Far"')
    result = browser.scroll(ref=ref, amount=0)
    assert (result.value, result.note) == ({}, f"{ref} is in view.")
    top = browser.evaluate("(el) => el.getBoundingClientRect().top", ref).value
    height = browser.evaluate("(el) => el.ownerDocument.defaultView.innerHeight", ref).value
    assert 0 <= top < height


def test_scroll_by_nothing_needs_an_element_with_a_visible_part(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button style='position:fixed;left:-900px'>Away</button>"))
    with pytest.raises(InvalidArgument) as refused:
        browser.scroll(amount=0)
    assert refused.value.data["field"] == "amount"
    with pytest.raises(NotInteractable):
        browser.scroll(ref="css=button", amount=0)
