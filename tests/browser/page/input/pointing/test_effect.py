"""Results report an input's effects, immediate and late."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Literal

import pytest
from support.eventually import eventually
from support.pace import lately
from support.site import Site

from tabwarden.page import ActionResult
from tabwarden.sync import Browser

PAGE = """<title>Shop</title><main>
<button onclick="setTimeout(() => {doing}, {delay})">Do</button><button>Dead</button>
<p id=price>Price 5</p><div id=panel hidden><p>First</p><p>Second</p></div>
<div id=cart role=status></div><button id=like aria-pressed=false>Like</button>
<button id=menu aria-expanded=false>Menu</button><label><input id=box type=checkbox>Agree</label>
<input id=field aria-label=Field></main>"""

CHANGES_CLASS = "price.className = 'x'"
CHANGES_TITLE = "document.title = '(1) Shop'"
EFFECTS = {
    "a line comes": ("document.body.append('Hello there')", '1 line appeared: "Hello there"'),
    "text changes": (
        "price.firstChild.data = 'Price 6'",
        '1 line appeared: "Price 6", 1 disappeared',
    ),
    "text is replaced": (
        "price.textContent = 'Price 7'",
        '1 line appeared: "Price 7", 1 disappeared',
    ),
    "an element is removed": ("price.remove()", "1 line disappeared"),
    "a panel opens": ("panel.hidden = false", '2 lines appeared: "First"'),
    "an announcement": ("cart.textContent = 'Added to cart'", 'announced "Added to cart"'),
    "a button is pressed": ("like.ariaPressed = 'true'", 'button "Like" now pressed'),
    "a menu expands": ("menu.ariaExpanded = 'true'", 'button "Menu" now expanded'),
    "a new URL": ("history.pushState(0, '', '/cart')", 'went to "/cart"'),
    "a new title": (CHANGES_TITLE, 'the title is now "(1) Shop"'),
    "a request fails": ("fetch('/missing')", 'request to "/missing" failed 404'),
    "a class changes": (CHANGES_CLASS, "1 element changed class or style"),
}


def shop(browser: Browser, site: Site, doing: str, delay: int = 0) -> None:
    page = PAGE.replace("{doing}", doing).replace("{delay}", str(delay))
    browser.goto(site.page("/", page))


def answered_after(seconds: float, status: int = 200) -> Callable[[BaseHTTPRequestHandler], None]:
    """A server that responds after this time, as a part of the case."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        time.sleep(seconds)
        request.send_response(status)
        request.send_header("Content-Length", "0")
        request.end_headers()

    return answer


def pause(seconds: float) -> None:
    """Wait for the effects and reports that an idle page has by then."""
    time.sleep(seconds * lately())


def facts(*results: ActionResult) -> list[str]:
    """Return the reports in order: a click's effect, and late effects."""
    told = []
    for one in results:
        told += [*one.new_since_last.effects, one.effect]
    return [one.removeprefix("after click: ") for one in told if one]


@pytest.mark.parametrize("delay", [1, 50, 300])
@pytest.mark.parametrize(("doing", "expected"), EFFECTS.values(), ids=EFFECTS)
def test_click_reports_the_effect_of_a_working_button(
    browser: Browser, site: Site, doing: str, expected: str, delay: int
) -> None:
    shop(browser, site, doing, delay)
    ref = browser.snapshot().ref("Do")
    clicked = browser.click(ref)
    pause(delay / 1000 + 0.15)
    after = browser.evaluate("1")
    told = facts(clicked, after)
    if doing == CHANGES_CLASS:  # too late for the click's own report, as at an animation's end
        assert not after.new_since_last.effects
        return
    if doing == CHANGES_TITLE:
        assert after.title == "(1) Shop"
        return
    assert any(expected in one for one in told), told


@pytest.mark.parametrize("doing", ["null", "fetch('/')", "Math.random()"])
def test_click_on_a_button_without_effect_reports_that_nothing_changed(
    browser: Browser, site: Site, doing: str
) -> None:
    shop(browser, site, doing)
    ref = browser.snapshot().ref("Do")
    clicked = browser.click(ref)
    pause(0.2)
    told = facts(clicked, browser.evaluate("1"))
    assert len(told) == 1
    assert told[0].startswith("nothing observed in ")


def test_next_click_reports_a_late_effect_separately_from_its_own(
    browser: Browser, site: Site
) -> None:
    shop(browser, site, "document.body.append('Late')", 100)
    page = browser.snapshot()
    browser.click(page.ref("Do"))
    pause(0.3)
    dead = browser.click(page.ref("Dead"))
    assert dead.new_since_last.effects == ('after click: 1 line appeared: "Late"',)
    assert dead.effect.startswith("nothing observed in ")
    assert browser.evaluate("1").new_since_last.effects == ()


def test_click_with_a_diff_reports_effects_until_the_page_is_stable(
    browser: Browser, site: Site
) -> None:
    shop(browser, site, "document.body.append('Soon')", 40)
    clicked = browser.click(browser.snapshot().ref("Do"), snapshot="diff")
    assert clicked.effect == '1 line appeared: "Soon"'
    assert browser.evaluate("1").new_since_last.effects == ()


def test_evaluate_does_not_repeat_effects_that_a_snapshot_showed(
    browser: Browser, site: Site
) -> None:
    shop(browser, site, "document.body.append('Shown')", 50)
    browser.click(browser.snapshot().ref("Do"))
    pause(0.2)
    browser.snapshot()
    assert browser.evaluate("1").new_since_last.effects == ()


def test_click_does_not_report_a_later_goto_as_its_late_effect(
    browser: Browser, site: Site
) -> None:
    shop(browser, site, "null")
    browser.click(browser.snapshot().ref("Do"))
    browser.goto(site.page("/next", "<p>Next</p>"))
    assert browser.evaluate("1").new_since_last.effects == ()


def test_click_reports_the_new_state_of_a_checkbox(browser: Browser, site: Site) -> None:
    shop(browser, site, "null")
    ref = browser.snapshot().ref("Agree")
    assert browser.click(ref).effect == 'checkbox "Agree" now checked'
    assert browser.click(ref).effect == 'checkbox "Agree" now not checked'


EVENTS = {
    "a dialog": ("alert(1)", r"dialog d-\d+ opened"),
    "a popup": ("window.open('/other')", r"tab t\d+ opened"),
    "a download": ("location = '/file'", r"download dl-\d+ began"),
}


@pytest.mark.parametrize(("doing", "expected"), EVENTS.values(), ids=EVENTS)
def test_click_reports_a_dialog_popup_or_download(
    own_browser: Browser, site: Site, doing: str, expected: str
) -> None:
    def file(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Disposition", "attachment; filename=a.txt")
        request.send_header("Content-Length", "1")
        request.end_headers()
        request.wfile.write(b"1")

    site.pages["/file"] = file
    own_browser.goto(site.page("/", f'<button onclick="{doing}">Do</button>'))
    assert re.search(expected, own_browser.click(own_browser.snapshot().ref("Do")).effect)


def test_click_on_a_link_reports_the_new_url(browser: Browser, site: Site) -> None:
    site.page("/two", "<p>Two</p>")
    browser.goto(site.page("/", "<a href=/two>Next</a>"))
    assert browser.click(browser.snapshot().ref("Next")).effect == 'went to "/two"'


@pytest.mark.parametrize("is_elsewhere", [False, True], ids=["same-origin", "cross-origin"])
def test_click_reports_an_effect_inside_a_frame(
    browser: Browser, site: Site, is_elsewhere: bool
) -> None:
    inner = site.page("/inner", "<button onclick=\"document.body.append('Inside')\">In</button>")
    if is_elsewhere:
        inner = inner.replace("127.0.0.1", "localhost")
    browser.goto(site.page("/", f"<p>Out</p><iframe src='{inner}' width=300></iframe>"))
    assert browser.click(browser.snapshot().ref("In")).effect == '1 line appeared: "Inside"'


def test_click_reports_an_effect_in_a_shadow_tree(browser: Browser, site: Site) -> None:
    browser.goto(
        site.page(
            "/",
            "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = "
            "`<button onclick=\"this.after('Under')\">Press</button>`</script>",
        )
    )
    assert browser.click(browser.snapshot().ref("Press")).effect == '1 line appeared: "Under"'


def test_type_and_press_report_their_effects(browser: Browser, site: Site) -> None:
    shop(browser, site, "null")
    browser.evaluate("field.oninput = () => { price.textContent = field.value }")
    field = browser.snapshot().ref("Field")
    typed = browser.type("abc", ref=field)
    assert typed.effect == '1 line appeared: "abc", 1 disappeared'
    browser.evaluate("field.oninput = null")
    assert browser.type("d", ref=field).effect.startswith("nothing else observed in ")
    browser.evaluate("onkeydown = (e) => { cart.textContent = e.key }")
    assert browser.press("a").effect.startswith('announced "a"')


TOASTS = """<title>Shop</title><main><button id=go>Go</button><p id=bar hidden>Saved</p>
<div id=told role=alert></div><script>
const gone = (then) => setTimeout(() => { then(); fetch('/gone') }, 80);
const shows = (one) => { document.body.append(one); gone(() => one.remove()) };
const toast = () => shows(Object.assign(document.createElement('div'), { innerHTML: '<p>Saved' }));
go.onclick = () => { {doing} };
</script></main>"""
PASSING = {
    "a toast at once": "toast()",
    "a toast by a timer": "setTimeout(toast, 600)",
    "a toast after a server's answer": "fetch('/slow').then(toast)",
    "a text in an alert": "told.textContent = 'Saved'; gone(() => { told.textContent = '' })",
    "a part that is shown": "bar.hidden = false; gone(() => { bar.hidden = true })",
}


@pytest.mark.parametrize("asks", ["evaluate", "snapshot"])
@pytest.mark.parametrize("doing", PASSING.values(), ids=PASSING)
def test_results_report_text_that_appeared_and_disappeared(
    browser: Browser, site: Site, doing: str, asks: str
) -> None:
    site.pages["/slow"] = answered_after(0.6)
    browser.goto(site.page("/", TOASTS.replace("{doing}", doing)))
    ref = browser.snapshot().ref("Go")
    for _ in range(2):  # the second evaluate could use the fast path
        site.hits.clear()
        clicked = browser.click(ref)
        eventually(lambda: "/gone" in site.hits)
        news = (browser.evaluate("1") if asks == "evaluate" else browser.snapshot()).new_since_last
        assert any('"Saved"' in one for one in (clicked.effect, *news.effects)), (clicked, news)


LOGIN = """<title>Login</title><form><input aria-label=Password><button>Log in</button></form>
<p id=told role=alert></p><script>
onsubmit = async (event) => {
  event.preventDefault();
  const { status } = await fetch('/login?key=s3cr3t', { method: 'POST', keepalive: true });
  told.textContent = status == 401 ? 'Wrong password' : 'Welcome';
};
</script>"""


@pytest.mark.parametrize("shows", ["none", "diff"])
@pytest.mark.parametrize("does", ["click", "press", "type"])
@pytest.mark.parametrize("is_recorded", [False, True], ids=["", "recorded"])
def test_input_results_include_the_outcome_of_the_triggered_request(
    browser: Browser, site: Site, does: str, shows: Literal["none", "diff"], is_recorded: bool
) -> None:
    site.pages["/login"] = answered_after(0.8, 401)
    browser.goto(site.page("/", LOGIN))
    if is_recorded:
        browser.network()
    page = browser.snapshot()
    password, button = page.ref("Password"), page.ref("Log in")
    match does:
        case "click":
            effect = browser.click(button, snapshot=shows).effect
        case "press":
            browser.focus(password)
            effect = browser.press("Enter", snapshot=shows).effect
        case _:
            effect = browser.type("x", password, press_enter=True, snapshot=shows).effect
    assert 'announced "Wrong password"' in effect
    assert f'{"POST" if is_recorded else "request to"} "/login?key=…" failed 401' in effect
    assert "in progress" not in effect


def test_click_reports_a_slow_request_as_pending(browser: Browser, site: Site) -> None:
    answers = threading.Event()

    def answer(request: BaseHTTPRequestHandler) -> None:
        answers.wait(20)
        answered_after(0)(request)

    site.pages["/login"] = answer
    browser.goto(site.page("/", LOGIN))
    clicked = browser.click(browser.snapshot().ref("Log in"))
    assert clicked.effect == 'POST "/login?key=…" is in progress'
    answers.set()
    late = eventually(lambda: browser.evaluate("1").new_since_last.effects)
    assert late == ('after click: announced "Welcome" · 1 line appeared',)


def test_click_keeps_urls_blocked_that_the_caller_blocked_over_cdp(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button onclick=\"fetch('/blocked')\">Do"))
    browser.cdp("Network.enable")
    browser.cdp("Network.setBlockedURLs", {"urls": ["*/blocked"]})
    ref = browser.snapshot().ref("Do")
    for _ in range(3):
        browser.click(ref)
    assert "/blocked" not in site.hits


def test_click_does_not_report_replaced_text_as_removed(browser: Browser, site: Site) -> None:
    shop(browser, site, "price.textContent = 'Price 6', price.replaceWith(price.cloneNode(true))")
    assert "went:" not in browser.click(browser.snapshot().ref("Do")).effect


def test_click_reports_a_popover_that_opens_or_closes(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button popovertarget=p>Do</button><p id=p popover>Card"))
    ref = browser.snapshot().ref("Do")
    assert browser.click(ref, snapshot="diff").effect == '1 line appeared: "Card"'
    assert browser.click(ref, snapshot="diff").effect == "1 line disappeared"


def test_press_and_a_click_beside_a_popover_report_that_it_closed(
    browser: Browser, site: Site
) -> None:
    page = "<button popovertarget=p>Do</button><p id=p popover>Card</p><div style='height: 500px'>"
    browser.goto(site.page("/", page))
    ref = browser.snapshot().ref("Do")
    browser.click(ref)
    assert browser.click(x=600, y=400).effect == "1 line disappeared"
    browser.click(ref)
    assert browser.press("Escape").effect == "1 line disappeared"


def test_click_does_not_report_a_popover_that_the_page_keeps_closed(
    browser: Browser, site: Site
) -> None:
    stays = "onbeforetoggle='event.preventDefault()'"
    page = f"<button popovertarget=p>Do</button><p id=p popover {stays}>Card"
    browser.goto(site.page("/", page))
    for _ in range(2):
        assert browser.click(browser.snapshot().ref("Do")).effect.startswith("nothing observed")


def test_hover_with_a_diff_reports_a_popover_that_shows_interest(
    browser: Browser, site: Site
) -> None:
    page = "<button interestfor=tip>Do</button><p id=tip popover=hint>More about it"
    browser.goto(site.page("/", page))
    hovered = browser.hover(browser.snapshot().ref("Do"), snapshot="diff")
    assert hovered.effect == '1 line appeared: "More about it"'
    assert hovered.snapshot is not None
    assert "More about it" in hovered.snapshot.text


def test_click_reports_text_directly_in_a_details(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<details><summary>Do</summary>All of it</details>"))
    ref = browser.snapshot().ref("Do")
    assert browser.click(ref).effect == '1 line appeared: "All of it"'
    assert browser.click(ref).effect == "1 line disappeared"


LOG = (
    "<div id=log tabindex=0 aria-label=Log style='height: 90px; overflow: auto'>"
    "<p style='height: 900px'>a</div>"
)
RIGHT_TO_LEFT = "log.dir = 'rtl', log.firstChild.style.width = '2000px', log.scrollLeft = -70"
SCROLLS = {
    "a list": ("log.scrollTop = 200", 'generic "Log" scrolled to 200 px down'),
    "smoothly": (
        "log.scrollTo({top: 150, behavior: 'smooth'})",
        'generic "Log" scrolled to 150 px down',
    ),
    "the page": ("scrollTo(0, 300)", "page scrolled to 300 px down"),
    "from right to left": (RIGHT_TO_LEFT, 'generic "Log" scrolled to 70 px left'),
}


@pytest.mark.parametrize("scrolls", SCROLLS)
def test_click_reports_what_scrolled(scrolls: str, browser: Browser, site: Site) -> None:
    script, effect = SCROLLS[scrolls]
    page = f"<button onclick=\"{script}\">Do</button>{LOG}<div style='height: 3000px'>"
    browser.goto(site.page("/", page))
    ref = browser.snapshot().ref("Do")
    assert effect in browser.click(ref, snapshot="diff").effect
    assert effect not in browser.evaluate("0").new_since_last.effects


def test_results_do_not_report_scrolls_of_tabwarden_itself(browser: Browser, site: Site) -> None:
    high = "<div style='height: 3000px'></div>"
    page = f"<button>Up</button>{LOG}{high}<button>Down</button><input aria-label=Field>"
    browser.goto(site.page("/", page))
    snapshot = browser.snapshot()
    for name in ("Down", "Up"):
        assert browser.click(snapshot.ref(name), snapshot="diff").effect.startswith(
            "nothing observed"
        )
    results = [
        browser.type("abc", snapshot.ref("Field"), snapshot="diff"),
        browser.scroll(ref=snapshot.ref("Log"), direction="down", snapshot="diff"),
        browser.scroll(direction="up", snapshot="diff"),
    ]
    browser.screenshot(full_page=True)
    results.append(browser.evaluate("0"))
    effects = [line for one in results for line in (one.effect, *one.new_since_last.effects)]
    assert not [line for line in effects if line and "scrolled" in line]


def test_press_reports_that_the_page_scrolled(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<div style='height: 3000px'>Text"))
    browser.snapshot()
    assert "page scrolled to" in browser.press("End", snapshot="diff").effect


def test_click_with_a_diff_reports_changes_from_before_the_click(
    browser: Browser, site: Site
) -> None:
    shop(browser, site, "null")
    ref = browser.snapshot().ref("Do")
    browser.evaluate("price.textContent = 'Before the click'")
    clicked = browser.click(ref, snapshot="diff")
    assert "Before the click" in clicked.snapshot.text
    assert clicked.effect == "changes since your last snapshot: see below"
    assert browser.click(ref, snapshot="diff").effect.startswith("nothing observed in ")


def test_evaluate_reports_no_effect(browser: Browser, site: Site) -> None:
    shop(browser, site, "null")
    assert browser.evaluate("price.textContent = 'x'").effect == ""


@pytest.mark.parametrize("key", [None, "Enter"])
def test_click_and_press_identify_the_invalid_field_that_blocks_a_form(
    key: str | None, browser: Browser, site: Site
) -> None:
    """The browser shows its message in a bubble outside the page."""
    form = "<form action=/sent><input aria-label=Req required><input aria-label=Any>"
    browser.goto(site.page("/", form + "<button>Send</button></form>"))
    page = browser.snapshot()
    if key is None:
        done = browser.click(page.ref("Send"))
    else:
        browser.type("x", page.ref("Any"))
        done = browser.press(key)
    assert re.search(r'textbox "Req" is invalid: "Please fill .*"', done.effect)


def test_click_reports_no_requests_of_the_page_it_left(browser: Browser, site: Site) -> None:
    site.pages["/slow"] = answered_after(0.5)
    site.page("/next", "next")
    browser.goto(
        site.page("/", "<button onclick=\"fetch('/slow').then(() => location = '/next')\">Go")
    )
    assert "in progress" not in browser.click("text=Go").effect
    assert "next" in browser.snapshot().text


MOVED = {
    "a native slider": ("<input type=range value=30>", "ArrowRight", 'slider "V" shows "31"'),
    "a number": ("<input type=number value=3>", "ArrowUp", 'spinbutton "V" shows "4"'),
    "a drawn slider": (
        "<div role=slider tabindex=0 aria-valuenow=30 onkeydown='ariaValueNow = 40'>Drawn</div>",
        "ArrowRight",
        'slider "V" shows "40"',
    ),
    "a select": ("<select><option>A<option>B</select>", "ArrowDown", 'combobox "V" shows "B"'),
    "a checkbox": ("<input type=checkbox>", "Space", 'checkbox "V" now checked'),
}


@pytest.mark.parametrize(("html", "key", "effect"), MOVED.values(), ids=MOVED)
def test_press_reports_the_new_value_of_the_focused_control(
    html: str, key: str, effect: str, browser: Browser, site: Site
) -> None:
    named = re.sub(r"^<(\w+)", r"<\1 id=v aria-label=V", html)
    browser.goto(site.page("/", named))
    browser.focus(browser.snapshot().ref("V"))
    assert effect in browser.press(key).effect
