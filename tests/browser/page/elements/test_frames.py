"""Frames are shown in place, and usable at any depth, on the same or another site."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

import pytest
from support.reading import body, ref_of
from support.site import Site
from support.telling import hang

from tabwarden.browser.opening import registry
from tabwarden.errors import BudgetExceeded, FrameNotFound, NotOopif, Obscured, StaleRef
from tabwarden.page.elements import each_frame
from tabwarden.page.walker.worlds import walker_source
from tabwarden.sync import Browser
from tabwarden.wire import Reply
from tabwarden.wire.connection import Connection

FIELDS = """
<button onclick="document.title = 'clicked'; window.clicks = (window.clicks || 0) + 1">Pay</button>
<input aria-label="Card" oninput="window.typed = this.value">"""


def frame(source: str, style: str = "width:400px;height:300px") -> str:
    return f'<iframe src="{source}" style="{style}"></iframe>'


def innermost(browser: Browser) -> str:
    """The frame_id of the innermost frame."""
    above = browser.state.frame_tree.top.frame_id
    while below := [f for f in browser.state.frame_tree.children if f.parent_frame_id == above]:
        above = below[-1].frame_id
    return above


@pytest.mark.parametrize(
    "sites",
    ["same", "other", "other same", "other other", "same other", "other same other"],
)
def test_snapshot_click_and_type_work_in_frames_at_any_depth(
    sites: str, browser: Browser, site: Site
) -> None:
    site.page("/depth0", FIELDS)
    hosts = sites.split()
    here = [site.here]
    for where in hosts:
        here.append(here[-1] if where == "same" else other(site, here[-1]))
    for level in range(1, len(hosts) + 1):
        below = here[len(hosts) - level + 1]
        site.page(f"/depth{level}", f"<p>Level {level}</p>" + frame(f"{below}/depth{level - 1}"))
    browser.goto(f"{site.here}/depth{len(hosts)}")

    snapshot = browser.snapshot()
    pay, card = ref_of(snapshot, '"Pay"'), ref_of(snapshot, '"Card"')
    assert snapshot.text.index(f"Level {len(hosts)}") < snapshot.text.index('"Pay"')
    assert browser.click(pay).status == "ok"
    typed = browser.type("4242", card)
    assert typed.value == {"value": "4242"}
    browser.press("5")
    deepest = innermost(browser)
    assert snapshot.refs[pay]["frame_id"] == deepest
    assert browser.evaluate("[clicks, typed]", frame_id=deepest).value == [1, "42425"]


def other(site: Site, origin: str) -> str:
    return site.there if origin == site.here else site.here


def test_click_scrolls_each_nested_frame_to_an_element_below_the_fold(
    browser: Browser, site: Site
) -> None:
    site.page("/inner", '<div style="height:2500px">tall</div>' + FIELDS)
    site.page("/middle", "<p>m</p>" + frame(f"{site.here}/inner", "width:300px;height:3000px"))
    outer = '<div style="height:1500px">before</div>' + frame(
        f"{site.there}/middle", "width:400px;height:400px"
    )
    browser.goto(site.page("/", outer))
    pay = ref_of(browser.snapshot(), '"Pay"')
    browser.click(pay)
    browser.click(pay)
    assert browser.evaluate("clicks", frame_id=innermost(browser)).value == 2


def test_click_hits_a_button_in_a_scaled_and_bordered_frame(browser: Browser, site: Site) -> None:
    site.page("/inner", FIELDS)
    style = "width:300px;height:200px;border:20px solid;padding:15px;transform:scale(.5)"
    browser.goto(site.page("/", frame(f"{site.there}/inner", style)))
    browser.click(ref_of(browser.snapshot(), '"Pay"'))
    assert browser.evaluate("clicks", frame_id=innermost(browser)).value == 1


def test_click_identifies_the_dialog_that_covers_a_frame(browser: Browser, site: Site) -> None:
    site.page("/inner", FIELDS)
    cover = '<div role=dialog aria-label="Cookies" style="position:fixed;inset:0">yes?</div>'
    browser.goto(site.page("/", frame(f"{site.there}/inner") + cover))
    pay = ref_of(browser.snapshot(), '"Pay"')
    with pytest.raises(Obscured, match="Cookies") as caught:
        browser.click(pay)
    assert caught.value.data["by"]["role"] == "dialog"
    browser.evaluate("document.querySelector('[role=dialog]').remove()")
    assert browser.click(pay).status == "ok"


def test_frame_that_navigates_to_another_site_keeps_its_id_and_its_refs_go_stale(
    browser: Browser, site: Site
) -> None:
    site.page("/a", "<button>A</button>")
    site.page("/b", "<button>B</button>")
    browser.goto(site.page("/", frame(f"{site.here}/a")))
    first = browser.snapshot()
    (before,) = browser.state.frame_tree.children
    browser.evaluate(f"document.querySelector('iframe').src = '{site.there}/b'")
    old = ref_of(first, '"A"')
    snapshot = browser.snapshot()
    while '"B"' not in snapshot.text:
        snapshot = browser.snapshot()
    (after,) = browser.state.frame_tree.children
    assert after.frame_id == before.frame_id
    assert (before.is_oopif, after.is_oopif) == (False, True)
    assert after.origin == site.there
    assert after.url == f"{site.there}/b"
    with pytest.raises(StaleRef, match="was button 'A'"):
        browser.click(old)
    assert browser.click(ref_of(snapshot, '"B"')).status == "ok"


def test_removed_frame_disappears_from_frame_tree_and_snapshot(
    browser: Browser, site: Site
) -> None:
    site.page("/inner", FIELDS)
    browser.goto(site.page("/", frame(f"{site.there}/inner")))
    pay = ref_of(browser.snapshot(), '"Pay"')
    gone = innermost(browser)
    browser.evaluate("document.querySelector('iframe').remove()")
    assert '"Pay"' not in browser.snapshot().text
    assert browser.state.frame_tree.children == ()
    with pytest.raises(StaleRef):
        browser.click(pay)
    with pytest.raises(FrameNotFound):
        browser.snapshot(frame_id=gone)


def test_navigation_removes_the_old_pages_frames(browser: Browser, site: Site) -> None:
    site.page("/inner", FIELDS)
    browser.goto(site.page("/", frame(f"{site.there}/inner") + frame(f"{site.here}/inner")))
    assert len(browser.state.frame_tree.children) == 2
    browser.goto(site.page("/next", "next"))
    assert browser.state.frame_tree.children == ()


def test_snapshot_can_read_a_single_frame(browser: Browser, site: Site) -> None:
    site.page("/inner", FIELDS)
    browser.goto(site.page("/", "<p>Outside</p>" + frame(f"{site.there}/inner")))
    text = browser.snapshot(frame_id=innermost(browser)).text
    assert '"Pay"' in text
    assert "Outside" not in text


@pytest.mark.parametrize(
    "role", ["application", "document", "none", "img", "button", "group", "dialog aria-label=Chat"]
)
def test_snapshot_reads_a_frame_with_any_aria_role(role: str, browser: Browser, site: Site) -> None:
    site.page("/inner", FIELDS)
    browser.goto(site.page("/", f"<iframe role={role} src='{site.there}/inner'></iframe>"))
    snapshot = browser.snapshot()
    assert browser.click(ref_of(snapshot, '"Pay"')).status == "ok"
    assert browser.evaluate("clicks", frame_id=innermost(browser)).value == 1


@pytest.mark.parametrize("where", ["here", "there"])
def test_snapshot_and_actions_treat_a_page_in_an_object_element_as_a_frame(
    where: str, browser: Browser, site: Site
) -> None:
    site.page("/inner", FIELDS)
    inner = f"{getattr(site, where)}/inner"
    page = (
        f"<object style='border: 9px solid' width=300 height=200 data='{inner}'>Not shown</object>"
    )
    browser.goto(site.page("/", page))
    snapshot = browser.snapshot()
    assert "Not shown" not in snapshot.text
    pay, card = ref_of(snapshot, '"Pay"'), ref_of(snapshot, '"Card"')
    assert browser.click(pay).status == "ok"
    typed = browser.type("4242", card)
    assert typed.value == {"value": "4242"}
    assert typed.focus is not None
    assert typed.focus["ref"] == card
    assert browser.evaluate("[clicks, typed]", frame_id=innermost(browser)).value == [1, "4242"]
    assert "Pay" in browser.scrape(format="text").value["text"]


def test_snapshot_reads_the_fallback_content_of_an_object_that_cannot_load(
    browser: Browser, site: Site
) -> None:
    page = """<object data=manual.pdf type=application/x-none>
    <p>No reader here. <a href=#got>Get the manual</a></p></object>
    <object data=data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7>
    <a href=#>Not shown</a></object>"""
    browser.goto(site.page("/", page))
    snapshot = browser.snapshot()
    assert "No reader here" in snapshot.text
    assert "Not shown" not in snapshot.text
    browser.click(ref_of(snapshot, '"Get the manual"'))
    assert browser.evaluate("location.hash").value == "#got"
    text = browser.scrape(format="text").value["text"]
    assert "Get the manual" in text
    assert "Not shown" not in text


def test_snapshot_reads_noscript_content_only_where_scripts_are_disabled(
    browser: Browser, site: Site
) -> None:
    site.page("/inner", "<p>Shop</p><noscript><a href='#plain'>Without scripts</a></noscript>")
    frames = [f"<iframe{how} src='{site.here}/inner'></iframe>" for how in (" sandbox", "")]
    browser.goto(site.page("/", "".join(frames)))
    text = browser.snapshot().text
    assert text.count('"Shop"') == 2
    assert text.count('link "Without scripts" [ref=') == 1


def test_snapshot_reports_a_hung_cross_site_frame_and_reads_the_rest(
    browser: Browser, site: Site
) -> None:
    site.page("/inner", "<button>In</button>")
    browser.goto(site.page("/", "<h1>Outside</h1>" + frame(f"{site.there}/inner")))
    inside = innermost(browser)
    hang(browser, site, frame_id=inside)
    snapshot = browser.snapshot()
    assert "Outside" in snapshot.text
    assert "can't be read: its scripts do not respond" in snapshot.text
    assert not snapshot.stale


def test_snapshot_shows_the_last_outline_of_a_frame_that_hangs_later(
    browser: Browser, site: Site
) -> None:
    site.page("/deep", "<button>Deep</button>")
    site.page("/inner", f"<button>In</button><iframe src='{site.here}/deep'></iframe>")
    browser.goto(site.page("/", "<h1>Outside</h1>" + frame(f"{site.there}/inner")))
    inside = browser.state.frame_tree.children[0].frame_id
    before = browser.snapshot()
    hang(browser, site, frame_id=inside)
    browser.evaluate("document.querySelector('h1').textContent = 'Fresh'")
    for _ in range(2):
        snapshot = browser.snapshot()
        assert "Fresh" in snapshot.text
        assert not snapshot.stale
        assert snapshot.text.count("(stale: this frame is not responding") == 1
        for name in ("In", "Deep"):
            assert ref_of(snapshot, f'"{name}"') == ref_of(before, f'"{name}"')


@pytest.mark.long
def test_snapshot_eventually_reads_a_frame_that_is_busy_most_of_the_time(
    browser: Browser, site: Site
) -> None:
    """After a late response, a snapshot waits longer for this frame."""
    busy = "() => { const until = performance.now() + 600; while (performance.now() < until); }"
    site.page("/inner", "<button>In</button>")
    browser.goto(site.page("/", "<h1>Outside</h1>" + frame(f"{site.there}/inner")))
    inside = innermost(browser)
    browser.snapshot()
    browser.evaluate(
        f"const busy = {busy}; setTimeout(busy); setInterval(busy, 605); null", frame_id=inside
    )
    stale = ["(stale" in browser.snapshot().text for _ in range(6)]
    assert not any(stale[4:])


def test_recovery_stops_an_endless_event_handler_in_a_cross_site_frame(
    browser: Browser, site: Site
) -> None:
    site.page("/inner", "<button onclick='for(;;);'>Hang</button>" + FIELDS)
    browser.goto(site.page("/", frame(f"{site.there}/inner")))
    snapshot = browser.snapshot()
    with pytest.raises(BudgetExceeded) as caught:
        browser.click(ref_of(snapshot, '"Hang"'), timeout_ms=1_500)
    assert caught.value.data["state"] in ("freed", "recovering")  # a busy machine delays no call
    assert browser.click(ref_of(snapshot, '"Pay"')).status == "ok"


def test_cdp_uses_the_session_of_an_out_of_process_frame(browser: Browser, site: Site) -> None:
    site.page("/inner", FIELDS)
    inside = frame(f"{site.there}/inner") + frame(f"{site.here}/inner")
    browser.goto(site.page("/", inside))
    there, here = sorted(browser.state.frame_tree.children, key=lambda f: not f.is_oopif)
    told = browser.cdp(
        "Runtime.evaluate", {"expression": "location.origin"}, frame_id=there.frame_id
    )
    assert told.value["result"]["value"] == site.there
    with pytest.raises(NotOopif, match="evaluate"):
        browser.cdp("Runtime.evaluate", {"expression": "1"}, frame_id=here.frame_id)


@pytest.mark.long
def test_snapshot_tolerates_frames_that_appear_and_disappear_while_it_reads(
    browser: Browser, site: Site
) -> None:
    site.page("/inner", "<button>Pay</button>")
    browser.goto(site.page("/", "<p>top</p>"))
    flicker = """(src) => new Promise((done) => {
        const frame = document.createElement('iframe');
        frame.onload = () => { done(); setTimeout(() => frame.remove(), 3) };
        frame.src = src;
        document.body.append(frame);
    })"""
    for _ in range(15):
        browser.evaluate(flicker, args=[f"{site.there}/inner"])
        for _ in range(4):
            assert "top" in browser.snapshot().text


def test_a_second_snapshot_asks_each_frame_only_for_its_outline(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.page("/inner", "<button>Pay</button>")
    frames = 6
    browser.goto(site.page("/", frame(f"{site.there}/inner") * frames))
    browser.wait(load_state="networkidle")
    first = browser.snapshot()
    assert first.text.count('"Pay"') == frames
    browser.snapshot()
    sent = recorded(browser, monkeypatch)
    assert body(browser.snapshot().text) == body(first.text)
    methods = Counter(one.method for one in sent)
    assert methods["DOM.describeNode"] == 0
    assert methods["Runtime.evaluate"] == 1 + frames + 1, "the outlines and one probe"


def test_a_snapshot_prepares_few_frames_at_once(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process compiles the walker for each frame, so the last frame would wait for all others."""
    site.page("/inner", "<button>Pay</button>")
    frames = 20
    browser.goto(site.page("/", frame(f"{site.there}/inner") * frames))
    sent = recorded(browser, monkeypatch)
    assert browser.snapshot().text.count('"Pay"') == frames
    walkers = [one for one in sent if one.size > len(walker_source())]
    assert len(walkers) == frames + 1
    assert max(one.others for one in walkers) <= each_frame._NEW


def test_a_moved_iframe_shows_its_new_document_in_its_new_place(
    browser: Browser, site: Site
) -> None:
    for name in "one", "two", "three":
        site.page(f"/{name}", f"<button>{name}</button>")
    browser.goto(site.page("/", frame(f"{site.there}/one") + frame(f"{site.there}/two")))

    def buttons() -> list[str]:
        return re.findall(r'button "(\w+)"', browser.snapshot().text)

    assert buttons() == ["one", "two"]
    loaded = "await new Promise((done) => { first.onload = done; %s }); return null"
    first = "async () => { const first = document.querySelector('iframe'); "
    browser.evaluate(first + loaded % "document.body.append(first)" + "}")
    assert buttons() == ["two", "one"]
    browser.evaluate(first + loaded % f"first.src = '{site.there}/three'" + "}")
    assert buttons() == ["three", "one"]
    browser.evaluate("document.querySelector('iframe').remove()")
    assert buttons() == ["one"]


class Sent(NamedTuple):
    method: str
    size: int
    others: int
    """How many commands as long as this one were waiting for their replies."""


def recorded(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> list[Sent]:
    """Record the commands that this browser's connection sends from now on."""
    supervisor = registry.get(browser.task_id)
    assert supervisor is not None
    send, sent = Connection.send, list[Sent]()
    waiting: list[int] = []

    def record(self: Connection, method: str, params: bytes, *rest: Any) -> int:
        if self is not supervisor.connection or rest[1] is None:
            return send(self, method, params, *rest)
        session_id, on_reply = rest
        size = len(params)

        def replied(reply: Reply) -> None:
            waiting.remove(size)
            on_reply(reply)

        sent.append(Sent(method, size, sum(one >= size for one in waiting)))
        waiting.append(size)
        return send(self, method, params, session_id, replied)

    monkeypatch.setattr(Connection, "send", record)
    return sent
