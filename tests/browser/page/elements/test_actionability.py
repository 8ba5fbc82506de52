"""A click hits the intended element, however the page is laid out, moves or covers it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.reading import ref_of
from support.site import Site

from tabwarden.errors import NotInteractable, Obscured, StaleRef
from tabwarden.sync import Browser

RECORDER = """<script>
window.seen = [];
for (const kind of ['pointerdown', 'mousedown', 'mouseup', 'click'])
  addEventListener(kind, (e) => seen.push([kind, e.target.id, e.isTrusted]));
</script>"""
TALL = '<div style="height:3000px">tall</div>'


def clicked(browser: Browser, **where: Any) -> list[str]:
    """The IDs of the clicked elements."""
    events: list[Any] = browser.evaluate("seen", **where).value
    assert all(trusted for _, _, trusted in events)
    return [target for kind, target, _ in events if kind == "click"]


def pressed(browser: Browser) -> list[str]:
    return [target for _, target, _ in browser.evaluate("seen").value]


def opened(browser: Browser, site: Site, body: str, name: str = "Goal") -> str:
    """Open a page; return the ref of the target element."""
    browser.goto(site.page("/", body + RECORDER))
    return ref_of(browser.snapshot(), f'"{name}"')


BUTTON = "<button id=goal>Goal</button>"
AREAS = """<div style="{}"><img usemap="#m" width=300 height=100 style="margin:10px;padding:5px;
    border:3px solid" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"></div>
    <map name=m><area id=one shape=rect coords="0,0,100,100" href="#a" alt=One>
    <area id=two shape=rect coords="100,0,200,100" href="#b" alt=Two>
    <area id=goal shape=rect coords="200,0,300,100" href="#c" alt=Goal></map>"""

LAYOUTS = {
    "under a sticky header": f"""<header style="position:sticky;top:0;height:150px;background:#eee">
        Header</header><div style="height:100px"></div>{BUTTON}{TALL}
        <script>addEventListener('load', () => scrollTo(0, 200))</script>""",
    "under a sticky footer": f"""<div style="height:1000px"></div>{BUTTON}{TALL}<footer
        style="position:fixed;bottom:0;left:0;right:0;height:200px;background:#eee">F</footer>""",
    "under both, high ones": f"""<header style="position:fixed;top:0;left:0;right:0;height:55vh;
        background:#eee">Header</header>{TALL}{BUTTON}{TALL}""",
    "in nested scrollers with sticky heads": f"""<div style="height:300px;overflow:auto">{TALL}
        <div style="height:200px;overflow:auto"><div style="position:sticky;top:0;height:60px;
        background:#eee">Head</div>{TALL}{BUTTON}{TALL}</div>{TALL}</div>""",
    "far to the left in what reads from the right": f"""<div dir=rtl style="width:300px;
        overflow:auto"><div style="width:3000px;text-align:left">{BUTTON}</div></div>""",
    "in an overflow that is hidden": f"""<div style="height:100px;overflow:hidden">{TALL}{BUTTON}
        </div>""",
    "in a page that scrolls smoothly": f"""<style>html {{ scroll-behavior: smooth }}</style>
        {TALL}{BUTTON}{TALL}""",
    "turned and long": """<button id=goal style="width:600px;height:20px;margin:300px 0;
        rotate:40deg">Goal</button>""",
    "in perspective": """<div style="perspective:300px;margin:100px"><button id=goal style="width:
        200px;height:100px;transform:rotateY(50deg) translateZ(20px)">Goal</button></div>""",
    "zoomed by a style": f"""<div style="zoom:2.5"><div style="zoom:0.5">{TALL}{BUTTON}{TALL}</div>
        </div>""",
    "larger than the viewport": """<button id=goal style="width:4000px;height:6000px">Goal
        </button>""",
    "a link over two lines": """<div style="width:300px"><span>some words before the link that take
        most of it</span> <a id=goal href="#x" aria-label=Goal>the link that goes on</a> and
        <button style="position:relative;top:-18px;left:0">on</button></div>""",
    "covered but for a corner": """<div style="position:relative;width:200px"><button id=goal
        style="width:200px;height:200px">Goal</button><div style="position:absolute;inset:0 0 0
        12px;background:#eee">cover</div></div>""",
    "no box of its own": """<div id=outer role=button aria-label=Goal tabindex=0
        style="display:contents"><span id=goal>inside</span></div>""",
    "its text ignores the mouse": """<button id=goal><span style="pointer-events:none">Goal
        </span></button>""",
    "in an open shadow root": """<div id=goal></div><script>
        goal.attachShadow({mode: 'open'}).innerHTML = '<p><button>Goal</button></p>'</script>""",
    "slotted": """<div id=host><button id=goal slot=s>Goal</button></div><script>
        host.attachShadow({mode: 'open'}).innerHTML = '<div><slot name=s></slot></div>'</script>""",
    "an area of an image": """<img usemap="#m" width=300 height=200 style="margin:10px;padding:5px;
        border:3px solid" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>">
        <map name=m><area id=other shape=rect coords="0,0,100,100" href="#a" alt=Other>
        <area id=goal shape=circle coords="200,120,30" href="#b" alt=Goal></map>""",
    "an area of a zoomed image": AREAS.format("zoom:2"),
    "an area of a small image": AREAS.format("zoom:0.4"),
    "an area of a scaled image": AREAS.format("scale:1.7;transform-origin:0 0"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_click_hits_the_element_in_every_css_layout(
    layout: str, browser: Browser, site: Site
) -> None:
    ref = opened(browser, site, LAYOUTS[layout])
    browser.click(ref)
    assert clicked(browser) == ["goal"]


def test_click_on_a_hidden_checkbox_clicks_its_label(browser: Browser, site: Site) -> None:
    tiny = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"
    ref = opened(
        browser,
        site,
        f'<input type=checkbox id=box style="{tiny}"><label for=box id=label>Goal</label>',
    )
    browser.click(ref)
    assert clicked(browser) == ["label", "box"]
    assert browser.evaluate("box.checked").value is True


def test_click_fails_on_an_element_that_ignores_the_mouse(browser: Browser, site: Site) -> None:
    ref = opened(browser, site, '<button style="pointer-events:none">Goal</button>')
    with pytest.raises(NotInteractable, match="ignores the mouse") as caught:
        browser.click(ref)
    assert caught.value.data["reason"] == "mouse_proof"
    assert pressed(browser) == []


# -- temporary obstacles ------------------------------------------------------------------------


def test_click_waits_until_an_overlay_disappears(browser: Browser, site: Site) -> None:
    cover = '<div id=cover style="position:fixed;inset:0;background:#fff">Wall</div>'
    ref = opened(browser, site, BUTTON + cover)
    browser.evaluate("setTimeout(() => cover.remove(), 300); null")
    browser.click(ref)
    assert clicked(browser) == ["goal"]


def test_click_waits_until_a_button_is_enabled(browser: Browser, site: Site) -> None:
    ref = opened(browser, site, "<button id=goal disabled>Goal</button>")
    with pytest.raises(NotInteractable, match="is disabled"):
        browser.click(ref)
    browser.evaluate("setTimeout(() => { goal.disabled = false }, 300); null")
    browser.click(ref)
    assert clicked(browser) == ["goal"]


def test_click_waits_until_a_sliding_button_stops(browser: Browser, site: Site) -> None:
    ref = opened(
        browser,
        site,
        """<div id=panel style="position:absolute;left:0;transition:left 400ms"><button id=goal
        onmousedown="window.at = panel.getBoundingClientRect().x">Goal</button></div>""",
    )
    browser.evaluate("panel.style.left = '300px'; null")
    browser.click(ref)
    assert browser.evaluate("at").value == 300


@pytest.mark.long
def test_click_hits_a_button_that_never_stops_moving(browser: Browser, site: Site) -> None:
    ref = opened(
        browser,
        site,
        """<style>@keyframes pulse { to { transform: scale(1.2) } }
        #goal { animation: pulse 200ms infinite alternate }</style>"""
        + BUTTON,
    )
    browser.click(ref)
    assert clicked(browser) == ["goal"]


# -- covering elements and their buttons -------------------------------------------------------

BANNER = """<div id=banner style="position:fixed;inset:0;background:#fff"><div><p>We use cookies
on this page.</p><button id=more>More</button><button id=accept
onclick="banner.remove()">Accept all</button></div></div>"""


def test_click_on_a_covered_button_returns_refs_of_the_overlay_and_its_buttons(
    browser: Browser, site: Site
) -> None:
    ref = opened(browser, site, BUTTON + BANNER)
    with pytest.raises(Obscured) as caught:
        browser.click(ref)
    by = caught.value.data["by"]
    assert by["name"].startswith("We use cookies")
    assert browser.evaluate("(e) => e.id", by["ref"]).value == "banner"
    assert [one["name"] for one in by["buttons"]] == ["Accept all", "More"]
    assert by["buttons"][0]["ref"] in caught.value.hint
    assert pressed(browser) == []
    browser.click(by["buttons"][0]["ref"])
    browser.click(ref)
    assert clicked(browser) == ["accept", "goal"]


def test_click_identifies_a_covering_dialog_by_its_role(browser: Browser, site: Site) -> None:
    cover = BANNER.replace(
        "<div><p>", '<div role=dialog aria-label=Consent style="height:100%"><p>'
    )
    ref = opened(browser, site, BUTTON + cover)
    with pytest.raises(Obscured, match="covered by dialog 'Consent'"):
        browser.click(ref)


# -- changes between aim and press -----------------------------------------------------------------

SWAP = """<style>button { position: absolute; width: 100px; height: 40px }</style>
<button id=goal style="left:50px;top:50px">Goal</button>
<button id=trap style="left:50px;top:350px">Trap</button><script>
window.times = 0;
addEventListener('pointermove', () => {
  if (times-- <= 0) return;
  [goal.style.top, trap.style.top] = [trap.style.top, goal.style.top];
});
</script>"""


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.threat
def test_click_aims_again_at_a_button_that_moved_away(
    count: int, browser: Browser, site: Site
) -> None:
    ref = opened(browser, site, SWAP)
    browser.evaluate("window.times = 1")
    browser.click(ref, count=count)
    assert set(pressed(browser)) == {"goal"}
    assert clicked(browser) == ["goal"] * count
    assert browser.evaluate("document.activeElement.id").value == "goal"


def test_click_presses_no_element_when_the_button_always_moves_away(
    browser: Browser, site: Site
) -> None:
    ref = opened(browser, site, SWAP)
    browser.evaluate("""addEventListener('pointermove', (event) => {
      const tops = ['50px', '350px'];
      [trap.style.top, goal.style.top] = event.clientY < 200 ? tops : tops.reverse();
    })""")
    with pytest.raises(NotInteractable, match="moves away"):
        browser.click(ref)
    assert pressed(browser) == []
    browser.click(x=100, y=70)  # a click by the agent itself is not suppressed
    assert len(clicked(browser)) == 1


@pytest.mark.threat
def test_click_does_not_press_an_element_that_replaced_the_target(
    browser: Browser, site: Site
) -> None:
    ref = opened(
        browser,
        site,
        BUTTON
        + """<script>window.times = 0; addEventListener('pointermove', () => {
          if (times-- <= 0) return;
          const other = document.createElement('button');
          other.id = 'trap'; other.textContent = 'Delete all';
          goal.replaceWith(other);
        })</script>""",
    )
    browser.evaluate("window.times = 1")
    with pytest.raises(StaleRef):
        browser.click(ref)
    assert pressed(browser) == []


QUIET_PAGES = {
    "that stops all events": """for (const kind of ['pointerdown', 'pointerup', 'mousedown',
        'mouseup', 'click']) addEventListener(kind, (e) => e.stopImmediatePropagation(), true)""",
    "that clears all timers": """goal.onpointerup = () => {
        for (let id = setTimeout(() => {}); id > 0; id--) clearTimeout(id) }""",
    "that replaces what is clicked": """goal.onclick = () => {
        goal.outerHTML = '<input id=goal aria-label=Goal autofocus>'; goal.focus() }""",
}


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("script", QUIET_PAGES.values(), ids=QUIET_PAGES.keys())
def test_click_reports_focus_on_a_page_that_blocks_events_and_clears_timers(
    script: str, count: int, browser: Browser, site: Site
) -> None:
    """This request is sent with the press, and answered after the effects of the last release."""
    browser.goto(site.page("/", f"{BUTTON}<script>{script}</script>"))
    done = browser.click(ref_of(browser.snapshot(), '"Goal"'), count=count)
    role = browser.evaluate("document.activeElement.localName").value
    assert done.focus is not None
    assert done.focus["name"] == "Goal"
    assert done.focus["role"] == {"button": "button", "input": "textbox"}[role]
    assert browser.snapshot().refs[done.focus["ref"]]["role"] == done.focus["role"]


@pytest.mark.parametrize("where", ["here", "there"])
def test_click_hits_a_button_in_a_moving_frame(where: str, browser: Browser, site: Site) -> None:
    site.page("/inner", BUTTON + RECORDER)
    browser.goto(
        site.page(
            "/",
            """<style>button, iframe { position: absolute; left: 50px; width: 300px;
            height: 150px }</style><button id=trap style="top:350px">Trap</button>
            <iframe id=frame style="top:50px" src="SOURCE"></iframe><script>
            const [one, other] = [frame.style, trap.style];
            window.swap = () => [one.top, other.top] = [other.top, one.top];
            </script>""".replace("SOURCE", f"{getattr(site, where)}/inner")
            + RECORDER,
        )
    )
    inner = browser.state.frame_tree.children[0].frame_id
    ref = ref_of(browser.snapshot(), '"Goal"')
    # In the frame, because the page around it gets no mouse events over the frame.
    if where == "here":
        browser.evaluate("addEventListener('pointermove', () => parent.swap(), {once: true}); null",
                         frame_id=inner)  # fmt: skip
    browser.click(ref)
    assert clicked(browser, frame_id=inner) == ["goal"]
    assert pressed(browser) == []


# -- frames -------------------------------------------------------------------------------------

FRAMES = {
    "plain": "border:9px solid;padding:7px",
    "scaled": "transform:scale(0.6);border:5px solid",
    "turned": "transform:rotate(30deg);margin:80px",
    "turned upside down and flipped": "rotate:180deg;scale:-1 1.5;margin:80px",
    "skewed": "transform:skewX(25deg);margin:50px 100px",
    "zoomed": "zoom:1.5",
}


@pytest.mark.parametrize("style", FRAMES)
@pytest.mark.parametrize("where", ["here", "there"])
def test_click_hits_a_button_in_a_transformed_frame(
    where: str, style: str, browser: Browser, site: Site
) -> None:
    site.page("/inner", f'<div style="padding:90px 0 0 170px">{BUTTON}</div>{TALL}' + RECORDER)
    size = "width:300px;height:200px"
    frame = f'<iframe src="{getattr(site, where)}/inner" style="{size};{FRAMES[style]}"></iframe>'
    browser.goto(site.page("/", f'<div style="margin:20px">{frame}</div>{TALL}'))
    inner = browser.state.frame_tree.children[0].frame_id
    browser.click(ref_of(browser.snapshot(), '"Goal"'))
    assert clicked(browser, frame_id=inner) == ["goal"]


def test_click_hits_a_button_in_nested_rotated_frames(browser: Browser, site: Site) -> None:
    site.page("/deepest", f'<div style="padding:60px">{BUTTON}</div>' + RECORDER)
    site.page(
        "/middle",
        f"""{TALL}<div style="transform:scale(0.9)"><iframe src="{site.here}/deepest"
        style="width:250px;height:180px;rotate:-20deg"></iframe></div>{TALL}""",
    )
    browser.goto(
        site.page(
            "/",
            f"""{TALL}<iframe src="{site.there}/middle" style="width:500px;height:400px;
            rotate:15deg"></iframe>{TALL}""",
        )
    )
    deepest = next(f.frame_id for f in browser.state.frame_tree.children if "deepest" in f.url)
    browser.click(ref_of(browser.snapshot(), '"Goal"'))
    assert clicked(browser, frame_id=deepest) == ["goal"]


def test_select_at_a_point_finds_the_field_in_a_rotated_frame(browser: Browser, site: Site) -> None:
    site.page("/inner", "<select aria-label=Goal><option>A<option>B</select>")
    style = "width:300px;height:200px;margin:90px;rotate:90deg"
    browser.goto(site.page("/", f'<iframe src="{site.there}/inner" style="{style}"></iframe>'))
    # Its upper left corner, with the select, is then at the upper right.
    box = browser.evaluate(
        "(({right, top}) => [right - 22, top + 30])(document.querySelector('iframe')"
        ".getBoundingClientRect())"
    ).value
    assert browser.select(x=box[0], y=box[1], labels="B").value == {"selected": ["B"]}


def test_click_hits_the_button_on_a_pinch_zoomed_page(browser: Browser, site: Site) -> None:
    ref = opened(browser, site, f'<div style="padding:400px 0 0 500px">{BUTTON}</div>{TALL}')
    browser.cdp("Emulation.setPageScaleFactor", {"pageScaleFactor": 2})
    assert browser.evaluate("visualViewport.scale").value == 2
    browser.click(ref)
    assert clicked(browser) == ["goal"]
    browser.cdp("Emulation.setPageScaleFactor", {"pageScaleFactor": 1})


TAKERS = [
    pytest.param(
        "<ul role=tree aria-label=Files><li role=treeitem tabindex=0 aria-expanded=true id=src>src"
        "<ul role=group><li role=treeitem id=a>a.py</li><li role=treeitem id=b>b.py</li>"
        "<li role=treeitem id=c>c.py</li></ul></li></ul>"
        "<script>onclick = (e) => did.push(e.target.closest('[role=treeitem]').id)</script>",
        "#src", ["src"], id="an item with items in it",
    ),
    pytest.param(
        "<table style='width: 600px'>"
        "<tr id=row style='cursor: pointer' onclick='did.push(\"row\")'>"
        "<td>#1<td style='text-align: center'><button onclick='event.stopPropagation();"
        "did.push(\"delete\")'>Delete customer</button><td>x</table>",
        "#row", ["row"], id="a row with a button in it",
    ),
    pytest.param(
        "<label style='display: inline-block; width: 300px; text-align: center'>"
        "<input type=radio id=plan style='position: absolute; opacity: 0; width: 0; height: 0' "
        "onchange='did.push(\"plan\")'>"
        "Pro <a href='#info' onclick='did.push(\"info\")'>What is in it?</a> plan</label>",
        "Pro What is in it? plan", ["plan"], id="a label with a link in it",
    ),
    pytest.param(
        "<div style='height: 2000px'></div><div role=button tabindex=0 id=card "
        "style='height: 3000px; padding-top: 30px' onclick='did.push(\"card\")'>Card"
        "<button style='display: block; width: 100%; height: 2900px' "
        "onclick='event.stopPropagation(); did.push(\"more\")'>More</button></div>",
        "#card", ["card"], id="one that is larger than the screen",
    ),
    pytest.param(
        "<ul role=menu><li role=menuitem id=home onclick='did.push(\"home\")'>"
        "<a href='#x' style='display: block'>Home</a></li></ul>",
        "#home", ["home"], id="a wrapper of one control",
    ),
    pytest.param(
        "<div role=combobox id=box style='padding: 9px; display: inline-block'>"
        "<input style='width: 80px' onclick='did.push(\"field\")'></div>",
        "#box", ["field"], id="a field in its box",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("markup", "selector", "expected"), TAKERS)
def test_click_avoids_controls_nested_in_the_element(
    markup: str, selector: str, expected: list[str], browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", f"<script>did = []</script>{markup}"))
    where = f"css={selector}" if selector.startswith("#") else browser.snapshot().ref(selector)
    assert not browser.click(where).note
    assert browser.evaluate("did").value == expected


def test_click_reports_that_it_had_to_click_a_nested_control(browser: Browser, site: Site) -> None:
    browser.goto(
        site.page(
            "/",
            "<div role=button tabindex=0 id=all onclick='did = \"all\"' style='width: 90px'>"
            "<button style='width: 50%; height: 40px; margin: 0; border: 0'>Yes</button>"
            "<button style='width: 50%; height: 40px; margin: 0; border: 0'>No</button></div>"
            "<style>div { font-size: 0 }</style>",
        )
    )
    assert re.search("button '(Yes|No)' .* received the click", browser.click("css=#all").note)
    assert browser.evaluate("did").value == "all"


def test_double_click_skips_its_second_click_if_the_button_is_gone(
    browser: Browser, site: Site
) -> None:
    rows = "".join(
        f"<p style='margin: 0; height: 30px'><button onclick='did.push({n}); "
        f"this.parentNode.remove()'>Delete {n}</button></p>"
        for n in range(5)
    )
    browser.goto(site.page("/", f"<script>did = []</script>{rows}"))
    told = browser.click(browser.snapshot().ref("Delete 1"), count=2)
    assert "Only the first click" in told.note
    assert browser.evaluate("did").value == [1]
    browser.goto(
        site.page(
            "/",
            "<script>did = []</script><button ondblclick='did.push(event.isTrusted)'>Open</button>",
        )
    )
    assert not browser.click(browser.snapshot().ref("Open"), count=2).note
    assert browser.evaluate("did").value == [True]


@pytest.mark.long
def test_click_hits_a_button_that_is_rendered_again_on_each_mouse_move(
    browser: Browser, site: Site
) -> None:
    script = (
        "did = []; const draw = () => { room.innerHTML = "
        "'<button onclick=\"did.push(1)\">Buy</button>' };"
        "draw(); addEventListener('mousemove', draw)"
    )
    browser.goto(site.page("/", f"<h2>Cart</h2><div id=room></div><script>{script}</script>"))
    browser.click(browser.snapshot().ref("Buy"))
    browser.click("css=button")
    assert browser.evaluate("did").value == [1, 1]


def test_click_reports_that_an_element_was_renamed_since_the_snapshot(
    browser: Browser, site: Site
) -> None:
    page = "<button onclick='did = this.textContent'>Delete row 3</button><button>Like (3)</button>"
    browser.goto(site.page("/", page))
    read = browser.snapshot()
    assert not browser.click(read.ref("Delete row 3")).note
    browser.evaluate("document.querySelector('button').textContent = 'Delete row 51'")
    told = browser.click(read.ref("Delete row 3")).note
    assert '"Delete row 3"' in told
    assert '"Delete row 51"' in told


@pytest.mark.parametrize(
    ("handlers", "clicks", "is_told"),
    [
        ("onmousedown=\"outerHTML = '<button id=other>Goal</button>'\"", [], True),
        ('onpointerdown="cover.hidden = false"', [], True),
        ('onmousedown="disabled = true"', [], True),
        ('onclick="remove()"', ["goal"], False),
        ('onmouseup="disabled = true"', [], True),
        ('onmousedown="event.preventDefault()"', ["goal"], False),
    ],
)
def test_click_reports_a_mouse_press_that_caused_no_click_event(
    handlers: str, clicks: list[str], is_told: bool, browser: Browser, site: Site
) -> None:
    cover = "<div id=cover hidden style='position:fixed;inset:0'></div>"
    body = f"<button id=goal {handlers}>Goal</button>{cover}"
    done = browser.click(opened(browser, site, body))
    assert [one for one in clicked(browser) if one == "goal"] == clicks
    assert ("caused no click" in done.note) is is_told


@pytest.mark.parametrize("button", ["right", "middle"])
def test_right_and_middle_clicks_do_not_report_a_missing_click_event(
    button: Any, browser: Browser, site: Site
) -> None:
    assert browser.click(opened(browser, site, BUTTON), button=button).note == ""


def test_click_presses_only_after_the_element_stays_still_under_the_mouse(
    browser: Browser, site: Site
) -> None:
    # As with `:hover { content: url(...) }`, whose image has no size until it is loaded.
    page = """<p id=around>Like <button id=goal>+</button></p><script>
    let since = 0;
    goal.onmouseover = () => {
      since ||= performance.now();
      if (performance.now() - since < 60) goal.style.cssText = "width:0;padding:0;border:0";
    };
    around.onmouseover = ({ target }) => { if (target === around) goal.style.cssText = "" };
    goal.onclick = () => { goal.textContent = "clicked" };
    </script>"""
    browser.goto(site.page("/", page))
    result = browser.click(ref_of(browser.snapshot(), "button"))
    assert browser.evaluate("goal.textContent").value == "clicked", result.note
