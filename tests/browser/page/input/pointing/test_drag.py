"""Drag and drop, with HTML or pointer events, within and between frames, always released."""

from __future__ import annotations

from typing import Any

import pytest
from support.pace import allow
from support.reading import ref_of
from support.site import Site

from tabwarden.errors import BudgetExceeded, InvalidArgument, Obscured
from tabwarden.sync import Browser

RECORDER = """<script>
window.seen = [];
const KINDS = ['pointerdown', 'pointermove', 'pointerup', 'mousedown', 'mousemove', 'mouseup',
               'dragstart', 'dragend', 'drop', 'click'];
for (const kind of KINDS) addEventListener(kind, (e) =>
  seen.push([kind, e.isTrusted, e.buttons, e.target.id ?? '']), true);
</script>"""
HTML5 = (
    """<style>button { display: block; margin: 20px; width: 120px; height: 50px }</style>
<button id=card draggable=true>Card</button><button id=bin>Bin</button><script>
card.ondragstart = (e) => e.dataTransfer.setData('text/plain', 'the card');
bin.ondragover = (e) => { e.preventDefault(); e.dataTransfer.dropEffect = 'move' };
bin.ondrop = (e) => { e.preventDefault(); window.dropped = e.dataTransfer.getData('text/plain') };
</script>"""
    + RECORDER
)
POINTER = (
    """<style>button { position: absolute; width: 60px; height: 40px }</style>
<button id=knob style="left:50px;top:50px">Knob</button>
<button id=goal style="left:400px;top:300px">Goal</button><script>
knob.onpointerdown = (down) => {
  knob.setPointerCapture(down.pointerId);
  knob.onpointermove = (e) => {
    knob.style.left = e.clientX - 30 + 'px'; knob.style.top = e.clientY + 40 + 'px';
  };
  knob.onpointerup = () => { knob.onpointermove = null; window.put = [knob.style.left] };
};
</script>"""
    + RECORDER
)


def refs(browser: Browser, *names: str) -> list[str]:
    snapshot = browser.snapshot()
    return [ref_of(snapshot, f'"{name}"') for name in names]


def seen(browser: Browser, **where: Any) -> list[Any]:
    events: list[Any] = browser.evaluate("seen", **where).value
    return events


def is_pressed(browser: Browser) -> bool:
    """Whether the page sees a pressed button at the next mouse move."""
    browser.evaluate("seen.length = 0")
    browser.hover(x=300, y=20)
    moves = [event for event in seen(browser) if event[0] == "mousemove"]
    assert moves, "the mouse does not arrive any more"
    return moves[-1][2] != 0


def test_drag_transfers_html_drag_and_drop_data(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", HTML5))
    card, bin_ = refs(browser, "Card", "Bin")
    assert browser.drag(card, bin_).value == {"kind": "html5", "effect": "move"}
    assert browser.evaluate("dropped").value == "the card"
    kinds = [event[0] for event in seen(browser)]
    assert [kinds.count(kind) for kind in ("dragstart", "drop", "dragend")] == [1, 1, 1]
    assert all(event[1] for event in seen(browser))
    assert not is_pressed(browser)


def test_drag_reports_that_no_element_accepted_the_drop(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", HTML5 + "<script>bin.ondragover = null</script>"))
    result = browser.drag(*refs(browser, "Card", "Bin"))
    assert result.value == {"kind": "html5", "effect": "none"}
    assert "did not accept the drop" in result.note


def test_drag_moves_the_pointer_in_steps_with_the_button_down(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", POINTER))
    assert browser.drag(*refs(browser, "Knob", "Goal")).value == {"kind": "pointer"}
    assert browser.evaluate("put").value == ["400px"]
    events = seen(browser)
    down = [event[0] for event in events].index("pointerdown")
    moves = [event for event in events[down:] if event[0] == "pointermove"]
    assert len(moves) >= 4
    assert all(event[1] and event[2] == 1 for event in moves)
    assert not is_pressed(browser)


def test_drag_works_between_two_points(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", POINTER))
    browser.drag(from_x=80, from_y=70, to_x=630, to_y=200)
    assert browser.evaluate("put").value == ["600px"]


@pytest.mark.parametrize("site_of_frame", ["here", "there"])
@pytest.mark.parametrize("way", ["in", "out", "within"])
def test_drag_works_into_a_frame_out_of_it_and_within_it(
    way: str, site_of_frame: str, browser: Browser, site: Site
) -> None:
    site.page("/frame", HTML5.replace("Card", "Inner card").replace("Bin", "Inner bin"))
    url = f"{getattr(site, site_of_frame)}/frame"
    style = "width:300px;height:250px;border:3px solid"
    browser.goto(site.page("/", HTML5 + f'<iframe src="{url}" style="{style}"></iframe>'))
    inner = browser.state.frame_tree.children[0].frame_id
    names = {
        "in": ("Card", "Inner bin"),
        "out": ("Inner card", "Bin"),
        "within": ("Inner card", "Inner bin"),
    }[way]
    assert browser.drag(*refs(browser, *names)).value == {"kind": "html5", "effect": "move"}
    start = {"frame_id": inner} if way != "in" else {}
    end = {"frame_id": inner} if way != "out" else {}
    assert browser.evaluate("dropped", **end).value == "the card"
    assert [event[0] for event in seen(browser, **start)].count("dragend") == 1
    assert not is_pressed(browser)
    browser.click(refs(browser, "Inner bin")[0])
    assert seen(browser, frame_id=inner)[-1] == ["click", True, 0, "bin"]


def test_drag_scrolls_to_a_target_below_the_fold(browser: Browser, site: Site) -> None:
    far = HTML5.replace("<button id=bin", '<div style="height:2000px"></div><button id=bin')
    browser.goto(site.page("/", far))
    assert browser.drag(*refs(browser, "Card", "Bin")).value["effect"] == "move"
    assert browser.evaluate("dropped").value == "the card"


@pytest.mark.long
def test_drag_rejects_a_covered_target_before_it_presses_the_button(
    browser: Browser, site: Site
) -> None:
    cover = '<div style="position:fixed;inset:90px 0 0 0;background:#fff">cover</div>'
    browser.goto(site.page("/", HTML5 + cover))
    with pytest.raises(Obscured):
        browser.drag(*refs(browser, "Card", "Bin"), timeout_ms=allow(2_000))
    assert "mousedown" not in [event[0] for event in seen(browser)]


@pytest.mark.long
def test_page_hang_during_an_html_drag_leaves_no_button_pressed(
    browser: Browser, site: Site
) -> None:
    hang = "<script>bin.ondragenter = () => { while (!window.never) {} }</script>"
    browser.goto(site.page("/", HTML5 + hang))
    card, bin_ = refs(browser, "Card", "Bin")
    with pytest.raises(BudgetExceeded):
        browser.drag(card, bin_, timeout_ms=1500)
    assert not is_pressed(browser)
    assert browser.evaluate("window.dropped ?? null").value is None
    browser.evaluate("bin.ondragenter = null")
    assert browser.drag(*refs(browser, "Card", "Bin")).value["effect"] == "move"


@pytest.mark.long
def test_page_hang_during_a_pointer_drag_leaves_no_button_pressed(
    browser: Browser, site: Site
) -> None:
    hang = "<script>let n = 0; knob.addEventListener('pointermove', () => { if (++n === 3) for (;;); })</script>"  # noqa: E501
    browser.goto(site.page("/", POINTER + hang))
    with pytest.raises(BudgetExceeded):
        browser.drag(*refs(browser, "Knob", "Goal"), timeout_ms=1500)
    assert not is_pressed(browser)
    assert "click" not in [event[0] for event in seen(browser) if event[3]]


def test_dialog_during_a_drag_interrupts_it_and_releases_the_button(
    browser: Browser, site: Site
) -> None:
    asks = "<script>bin.ondragenter = () => alert('sure?')</script>"
    browser.goto(site.page("/", HTML5 + asks))
    result = browser.drag(*refs(browser, "Card", "Bin"))
    assert result.interrupted
    browser.dialog("accept")
    assert not is_pressed(browser)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"to_ref": "e1"}, "from_ref"),
        ({"from_ref": "e1"}, "to_ref"),
        ({"from_ref": "e1", "to_ref": "e1", "to_x": 4}, "to_ref"),
        ({"from_ref": "e1", "to_x": 4}, "to_y"),
    ],
)
def test_drag_requires_exactly_one_start_and_one_end_location(
    given: dict[str, Any], field: str, browser: Browser
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.drag(**given)
    assert caught.value.data["field"] == field


SORTABLE = """<style>li { height: 30px; width: 200px; list-style: none }</style><ul id=list>
<li draggable=true>A</li><li draggable=true>B</li><li draggable=true>C</li></ul><script>
let dragged;
list.ondragstart = (e) => { dragged = e.target };
list.ondragover = (e) => {
  e.preventDefault();
  const over = e.target.closest('li');
  if (over && over !== dragged) {
    const {top, height} = over.getBoundingClientRect();
    over[e.clientY > top + height / 2 ? 'after' : 'before'](dragged);
  }
};
</script>"""
SLIDERS = """<input id=native type=range aria-label=Native style="width:200px"><div id=track
style="width:200px;height:20px;margin:30px 0;position:relative;background:#ddd"><div id=thumb
role=slider aria-label=Own aria-valuenow=0 tabindex=0 style="position:absolute;width:20px;
height:20px;background:#333"></div></div><script>
thumb.onmousedown = () => {
  const move = (e) => {
    const at = Math.max(0, Math.min(180, e.clientX - track.getBoundingClientRect().x - 10));
    thumb.style.left = at + 'px'; thumb.ariaValueNow = Math.round(at / 1.8);
  };
  addEventListener('mousemove', move);
  addEventListener('mouseup', () => removeEventListener('mousemove', move), {once: true});
};</script>"""
CANVAS = """<canvas id=pad width=400 height=300></canvas><script>
const pen = pad.getContext('2d'); let down = false; window.lines = 0;
pad.onpointerdown = (e) => { down = true; pen.beginPath(); pen.moveTo(e.offsetX, e.offsetY) };
pad.onpointermove = (e) => {
  if (!down) return;
  pen.lineTo(e.offsetX, e.offsetY); pen.lineWidth = 5; pen.stroke(); lines += 1;
};
pad.onpointerup = () => { down = false };
</script>"""


def test_drag_reorders_list_items(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", SORTABLE))
    boxes = browser.evaluate(
        "[...list.children].map((e) => e.getBoundingClientRect()).map((r) => [r.x + 20, r.y + 15])"
    ).value
    (from_x, from_y), (to_x, to_y) = boxes[0], boxes[2]
    browser.drag(from_x=from_x, from_y=from_y, to_x=to_x, to_y=to_y + 10)
    assert browser.evaluate("list.innerText.split('\\n')").value == ["B", "C", "A"]


def test_drag_onto_another_item_moves_the_item_to_that_position(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", SORTABLE.replace("<li", "<li tabindex=0 role=button")))
    for (source, goal), order in {("A", "C"): "BCA", ("A", "B"): "ABC"}.items():
        browser.drag(*refs(browser, source, goal))
        assert browser.evaluate("list.innerText.split('\\n').join('')").value == order


@pytest.mark.long
def test_drag_moves_an_svg_shape_into_an_outlined_rectangle(browser: Browser, site: Site) -> None:
    page = """<svg id=svg width=200 height=90><circle id=dot cx=20 cy=20 r=9 fill=red></circle>
    <rect x=100 width=80 height=60 fill=none stroke=black></rect></svg><script>
    dot.onmousedown = () => { svg.onmousemove = ({ offsetX, offsetY }) => {
      dot.setAttribute("cx", offsetX); dot.setAttribute("cy", offsetY) } };
    onmouseup = () => { svg.onmousemove = null };</script>"""
    browser.goto(site.page("/", page))
    snapshot = browser.snapshot()
    ends = [ref_of(snapshot, "circle red"), ref_of(snapshot, "rect outline")]
    for _ in range(2):
        browser.drag(*ends)
        assert browser.evaluate("[dot.cx, dot.cy].map((one) => one.baseVal.value)").value == [
            140,
            30,
        ]


def test_drag_accepts_an_end_point_relative_to_an_element(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", SLIDERS))
    (own,) = refs(browser, "Own")
    browser.drag(own, own, to_x=90, to_y=5)
    assert browser.evaluate("thumb.ariaValueNow").value == "50"


def test_drag_moves_sliders_to_a_value(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", SLIDERS))
    (own,) = refs(browser, "Own")
    x, y = browser.evaluate("(r => [r.x, r.y])(track.getBoundingClientRect())").value
    browser.drag(own, to_x=x + 100, to_y=y + 10)
    assert browser.evaluate("thumb.ariaValueNow").value == "50"
    (native,) = refs(browser, "Native")
    right = browser.evaluate("native.getBoundingClientRect().right").value
    middle = browser.evaluate("(r => r.y + r.height / 2)(native.getBoundingClientRect())").value
    browser.drag(native, to_x=right - 1, to_y=middle)
    assert browser.evaluate("native.value").value == "100"


def test_drag_draws_on_a_canvas(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", CANVAS))
    x, y = browser.evaluate("(r => [r.x, r.y])(pad.getBoundingClientRect())").value
    browser.drag(from_x=x + 50, from_y=y + 50, to_x=x + 250, to_y=y + 200)
    assert browser.evaluate("lines").value >= 4
    ink = "pen.getImageData(150, 125, 1, 1).data[3]"
    assert browser.evaluate(ink).value > 0


DELAYED = """<style>
#knob { position: absolute; left: 50px; top: 50px; width: 60px; height: 60px; cursor: grab }</style>
<button id=knob>Knob</button><script>
presses = 0;
knob.onpointerdown = () => {
  presses += 1;
  const held = setTimeout(() => {
    onpointermove = (e) => { knob.style.left = e.clientX + 'px' };
  }, 250);
  onpointermove = () => clearTimeout(held);
  onpointerup = () => { onpointermove = null; clearTimeout(held) };
};
</script>"""


def test_drag_retries_with_a_long_press_if_the_element_needs_one(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", DELAYED))
    (knob,) = refs(browser, "Knob")
    dragged = browser.drag(knob, to_x=400, to_y=80)
    assert "only after the button was held" in dragged.note
    assert browser.evaluate("[knob.style.left, presses]").value == ["400px", 2]


def test_drag_reports_when_the_page_did_not_react(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button>Still</button>"))
    (still,) = refs(browser, "Still")
    assert "did not change during the drag" in browser.drag(still, to_x=400, to_y=80).note


def test_drag_grabs_an_item_that_moves_as_the_mouse_arrives(browser: Browser, site: Site) -> None:
    items = "".join(f"<li id=i{n} tabindex=0 role=button>Item {n}</li>" for n in range(6))
    browser.goto(
        site.page(
            "/",
            "<style>li { height: 40px; width: 200px }</style>"
            f"<ul id=list>{items}</ul><div role=button tabindex=0 style='position: fixed; right: 0;"
            "top: 0; width: 99px; height: 99px'>Goal</div>"
            "<script>did = []; list.onpointerdown = (e) => did.push(e.target.id);"
            "list.addEventListener('mouseenter', () => { const tip = document.createElement('div');"
            "tip.style.height = '42px'; list.before(tip) }, { once: true })</script>",
        )
    )
    read = browser.snapshot()
    browser.drag(read.ref("Item 3"), read.ref("Goal"))
    assert browser.evaluate("did").value == ["i3"]
