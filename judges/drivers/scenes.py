"""The scenes: each plays calls on one page, and notes what happened."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from judges.drivers.hands import Hands, Reply
from judges.drivers.process import NoAnswer
from judges.drivers.worker import BLOCKED

__all__ = ["QUICK", "ROUGH", "SCENES", "TIMED", "Note", "Scene"]

DIALOG = "Delete 3 files?"
DIALOGS = ("alert", "confirm", "prompt", "beforeunload")
PLACES = ("top", "frame", "popup")
HANGS = ("click", "type", "read", "script", "navigate")
CHOSEN = {"alert": "undefined", "confirm": "true", "prompt": "Ada"}
"""What the page gets if the agent accepts its dialog."""
Accepted = Literal["chosen", "accepted unasked", "dismissed", "no answer"]
AGAIN = 25
"""Number of calls for the median time of a fast member."""


@dataclass(frozen=True)
class Note:
    """One thing that a scene found."""

    row: str
    good: bool | None
    """None: the driver has no such notion, or the scene does not judge."""
    text: str
    number: float | None = None


Scene = Callable[[Any], list[Note]]


# -- dialogs ---------------------------------------------------------------------------------------


def dialog(hands: Hands, kind: str, place: str) -> list[Note]:
    """A dialog opens; the agent reads what it was told, and accepts."""
    name = f"{kind} in the {place}"
    begun = len(hands.replies)
    accepted = _leave(hands, place) if kind == "beforeunload" else _ask(hands, kind, place)
    if not hands.hears(f"opening/{kind}", 0.1):
        return _unopened(hands, kind, name, accepted)
    if not any(_tells(reply, kind) for reply in hands.replies[begun:]):
        hands.read()  # some drivers tell one call later
    text = next((reply.text for reply in hands.replies[begun:] if _tells(reply, kind)), None)
    words = "no word" if text is None else " ".join(text.split())[:120]
    notes = [
        Note("dialogs told", text is not None, f"{name}: {words}"),
        Note("dialogs answered", accepted == "chosen", f"{name}: {accepted}"),
    ]
    if kind in ("confirm", "prompt"):
        notes.append(
            Note("accepted unasked", accepted != "accepted unasked", f"{name}: {accepted}")
        )
    return notes


def _unopened(hands: Hands, kind: str, name: str, accepted: str) -> list[Note]:
    """A tab that was closed without asking its page has nothing to tell; else the agent failed."""
    if kind == "beforeunload" and accepted == "accepted unasked":
        return [Note("dialogs told", None, f"{name}: the page was not asked")]
    reached = f"{name}: the dialog did not open: {hands.replies[-1].text[:80]}"
    return [Note("dialogs told", False, reached), Note("dialogs answered", False, reached)]


def _ask(hands: Hands, kind: str, place: str) -> Accepted:
    hands.open({"top": "/ask.html", "frame": "/ask-frame.html"}.get(place, "/ask-opener.html"))
    hands.click_named(f"Do {kind}")
    if place == "popup" and not _tells(hands.replies[-1], kind):
        hands.read()
    if answer := hands.hears(f"answer/{kind}", 0.3):
        value = answer.rpartition("/")[2]
        return "accepted unasked" if value in ("true", "") else "dismissed"
    hands.accept("Ada" if kind == "prompt" else None)
    answer = hands.hears(f"answer/{kind}/")
    value = answer.rpartition("/")[2]
    if value == CHOSEN[kind]:
        return "chosen"
    return "dismissed" if answer else "no answer"


def _leave(hands: Hands, place: str) -> Accepted:
    opener = {"top": "/leave.html", "frame": "/leave-frame.html"}.get(place, "/ask-opener.html")
    first = hands.open(opener).active
    tab = ""
    if place == "popup":
        hands.click_named("Open letter")
        hands.hears("shown/leave.html", 3)
        tabs = [one.get("tab_id") or one["id"] for one in hands.call("list_tabs").tabs]
        tab = next((one for one in tabs if one != first), "")
        hands.call("switch_tab", tab_id=tab)
    hands.click_named("Edit letter")
    if not hands.hears("edited"):
        return "no answer"
    if tab:
        hands.call("close_tab", tab_id=tab)
    else:
        hands.call("navigate", url=f"{hands.site.here}/chapter.html")

    def left(wait_s: float) -> bool:
        if not tab:
            return bool(hands.hears("shown/chapter.html", wait_s))
        tabs = [one.get("tab_id") or one["id"] for one in hands.call("list_tabs").tabs]
        return tab not in tabs

    if left(0.5):
        return "accepted unasked"
    hands.read()  # the result of a tab member has no text
    hands.accept()
    return "chosen" if left(2) else "no answer"


def _tells(reply: Reply, kind: str) -> bool:
    """Whether the model learns of the dialog from this reply: by its question or by its kind."""
    if DIALOG in reply.text or kind in [change.get("kind") for change in reply.changes]:
        return True
    return reply.says(rf"{kind}.*dialog|dialog.*{kind}")


# -- pages that stop answering ---------------------------------------------------------------------


def hang(hands: Hands, kind: str) -> list[Note]:
    """A page hangs in a call; the next calls must work."""
    hands.open("/hangs.html" if kind != "read" else "/hangs.html?soon")
    seconds: list[float] = []
    try:
        if kind == "click":
            hands.click_named("Count")
        elif kind == "type":
            _type_at(hands, "Name")
        elif kind == "read":
            hands.hears("never", 1.2)
            hands.read()
        elif kind == "script":
            hands.run("while (true);")
        else:
            hands.call("navigate", url=f"{hands.site.here}/hangs-loading.html")
        seconds.append(hands.replies[-1].seconds)
        after = hands.text()
        seconds.append(after.seconds)
        hands.open("/chapter.html")
        seconds.append(hands.replies[-1].seconds)
        went_on = hands.text().says("dark night")
    except NoAnswer as error:
        times = [*seconds, hands.replies[-1].seconds]
        text = f"{kind}: {error} (calls: {_seconds(times)})"
        return [Note("hangs", False, text, max(times))]
    text = f"{kind}: calls of {_seconds(seconds)}"
    if not went_on:
        text += f", and then {hands.replies[-1].text[:100]!r}"
    return [Note("hangs", went_on, text, max(seconds))]


def _type_at(hands: Hands, name: str) -> None:
    if hands.contract == "openai":
        hands.type(hands.ref(name), "x")
        return
    hands.click_named(name)
    hands.call("type", text="x")


def _seconds(times: list[float]) -> str:
    return ", ".join(f"{one:.1f} s" for one in times)


def crash(hands: Hands) -> list[Note]:
    hands.open("/chapter.html")
    hands.driver.kill_renderers()
    hands.hears("never", 0.5)
    begun = len(hands.replies)
    try:
        hands.read()
        hands.open("/order.html")
        went_on = hands.text().says("Fill in")
    except NoAnswer as error:
        return [Note("crash", False, str(error))]
    told = any(reply.says("(?i)crash|killed|terminated") for reply in hands.replies[begun:])
    words = "said so" if told else "did not say so"
    return [Note("crash", told and went_on, f"{words}, {'went on' if went_on else 'stuck'}")]


# -- pages that mislead ----------------------------------------------------------------------------


def popup(hands: Hands) -> list[Note]:
    hands.open("/ask-opener.html")
    reply = hands.click_named("Open chapter")
    hands.hears("shown/chapter.html", 3)
    tabs = hands.call("list_tabs").tabs
    seen = any("chapter" in tab["url"] or "Chapter" in tab["title"] for tab in tabs)
    read = ""
    for tab in tabs:
        found = hands.text(tab_id=tab.get("tab_id") or tab["id"])
        read = read or (found.text if found.says("dark night") else "")
    text = f"the click took {reply.seconds:.2f} s"
    good = not reply.failed and bool(read) and (seen or len(tabs) == 2)
    return [Note("popup", good, text if good else f"{text}; {reply.text[:80]}", reply.seconds)]


def covered(hands: Hands) -> list[Note]:
    hands.open("/covered.html")
    reply = hands.click_named("Pay now")
    clicked = hands.hears("clicked", 0.7).rpartition("/")[2]
    if reply.failed and not clicked:
        text = "refused, nothing clicked"
    else:
        says = "an error" if reply.failed else "ok"
        text = {"": "nothing clicked", "pay": "clicked through", "cover": "clicked the cover"}[
            clicked
        ]
        text = f"said {says}, {text}"
    return [Note("covered", reply.failed and not clicked, text)]


def stale(hands: Hands) -> list[Note]:
    hands.open("/stale.html")
    ref = hands.ref("Pay now")
    hands.hears("removed", 5)
    reply = hands.click(ref)
    return [Note("stale", reply.failed, "refused" if reply.failed else f"said {reply.text[:60]!r}")]


def moved(hands: Hands, page: str) -> list[Note]:
    """Click "Buy tea", which the page moves or draws again after the agent has read it."""
    hands.open(f"/{page}.html")
    ref = hands.ref("Buy tea")
    if page == "redrawn":
        hands.hears("redrawn", 5)
    reply = hands.click(ref)
    bought = hands.hears("bought", 1).rpartition("/")[2]
    if bought == "tea":
        return [Note("moved", True, f"{page}: right")]
    if bought:
        return [Note("moved", False, f"{page}: clicked Buy {bought}, said {reply.text[:60]!r}")]
    words = "refused" if reply.failed else "said ok, clicked nothing"
    return [Note("moved", reply.failed, f"{page}: {words}")]


def frame(hands: Hands) -> list[Note]:
    hands.open("/frame.html")
    hands.hears("shown/inner.html", 3)
    reply = hands.click_named("Press inner")
    clicked = bool(hands.hears("clicked/inner"))
    text = "clicked" if clicked else f"not clicked: {reply.text[:80]}"
    return [Note("frame", clicked and not reply.failed, text)]


def untrue(hands: Hands) -> list[Note]:
    """Calls that can't succeed: each must be an error."""
    hands.open("/members.html")
    size = hands.ref("Size", hands.read(everything=False))
    tried = {
        "an option that the list lacks": lambda: hands.choose(size, "Huge"),
        "a key that does not exist": lambda: hands.press("Nonsense"),
        "a click outside the window": lambda: hands.click_at(5000, 5000),
        "a ref that was never given": lambda: hands.click("ref_9999"),
    }
    if hands.contract == "openai":
        tried["a wait for a text that never comes"] = lambda: hands.call(
            "wait_for", text="The lamp is on", timeout_ms=700
        )
    else:
        tried["a tab that does not exist"] = lambda: hands.call("read_page", tab_id="none")
    return [_refused(what, call()) for what, call in tried.items()]


def _refused(what: str, reply: Reply) -> Note:
    words = "refused" if reply.failed else f"said {reply.text[:60]!r}"
    if reply.ended_run:
        words = f"ended the run: {reply.text[:80]}"
    return Note("untrue", reply.failed and not reply.ended_run, f"{what}: {words}")


def secrets(hands: Hands) -> list[Note]:
    """The model writes a secret's name; the page must get its value, and the model must not."""
    hands.open("/order.html")
    hands.type(hands.ref("Code", hands.read(everything=False)), "{{SHOP_CODE}}")
    hands.click_named("Place order")
    sent = hands.hears("ordered").rpartition("/")[2]
    if sent == "%7B%7BSHOP_CODE%7D%7D":
        return [Note("secrets", None, "no such notion")]
    shown = "white-raven-5" in hands.read().text
    good = sent == "white-raven-5" and not shown
    return [Note("secrets", good, "filled in, hidden from the model" if good else f"sent {sent!r}")]


# -- sizes and times -------------------------------------------------------------------------------


def many(hands: Hands) -> list[Note]:
    hands.open("/many.html")
    read = hands.call("read_page") if hands.contract == "anthropic" else hands.read()
    found = hands.call("find", query="Take 4321")
    clicked = False
    if ref := hands.ref("Take 4321", found):
        clicked = not hands.click(ref).failed
    return [
        Note("many: read", not read.failed, f"{read.seconds:.2f} s, {len(read.text):,} characters"),
        Note(
            "many: find", clicked,
            f"{found.seconds:.2f} s" if clicked else f"not found: {found.text[:60]!r}",
        ),
    ]  # fmt: skip


def order(hands: Hands) -> list[Note]:
    """A small task: open, read, fill three fields, place the order, and read the result."""
    before = hands.characters
    hands.open("/order.html")
    read = hands.read()
    controls = hands.read(everything=False)
    for name, value in (("Street", "Main Street 5"), ("Code", "B7")):
        hands.type(hands.ref(name, controls), value)
    hands.choose(hands.ref("Size", controls), "g")
    hands.click(hands.ref("Place order", controls))
    ordered = hands.hears("ordered/Main%20Street%205/g/B7")
    done = bool(ordered) and hands.text().says("Order 7 is placed")
    spent = hands.characters - before
    return [
        Note("characters of a read", True, f"{read.characters:,}", read.characters),
        Note("characters of a task", done, f"{spent:,}" if done else "not done", spent),
    ]


def six(hands: Hands) -> list[Note]:
    """The six calls of Anthropic's exercise (claude-quickstarts, ``browser-toolset/python``), on an
    equal page."""
    opened = hands.open("/members.html")
    read = hands.call("read_page", filter="interactive")
    line = next((one for one in read.text.splitlines() if "Save order" in one), "")
    ref = re.search(r"ref_\d+", line)
    clicked = hands.click(ref[0] if ref else hands.ref("Save order", read))
    text = hands.text()
    refused = hands.call("navigate", url=f"http://{BLOCKED}/")
    wait = hands.call("wait", duration=31)
    found = {
        "navigate": not opened.failed and opened.says("^Navigated to"),
        "read_page gives ref_N": ref is not None,
        "left_click": not clicked.failed and bool(hands.hears("click/save")),
        "get_page_text shows the effect": text.says("The order is saved"),
        "a refused address": refused.failed,
        "wait 31 is refused": wait.failed and wait.says("between 0 and 30"),
    }
    return [Note("six", good, f"{what}: {'yes' if good else 'no'}") for what, good in found.items()]


def times(hands: Hands) -> list[Note]:
    hands.open("/members.html")
    controls = hands.read(everything=False)
    save, street = hands.ref("Save order", controls), hands.ref("Street", controls)
    calls: dict[str, Callable[[], Reply]] = {
        "click": lambda: hands.click(save),
        "type": lambda: hands.type(street, "Main Street 5"),
        "read": hands.read,
    }
    notes = _medians(calls)
    hands.open("/counts.html")
    count = hands.ref("Count", hands.read(everything=False))
    return [*notes, *_medians({"counting click": lambda: hands.click(count)})]


def _medians(calls: dict[str, Callable[[], Reply]]) -> list[Note]:
    notes = []
    for name, call in calls.items():
        replies = [call() for _ in range(AGAIN)]
        failed = next((reply.text for reply in replies if reply.failed), "")
        median = statistics.median(reply.seconds for reply in replies) * 1000
        text = failed[:60] if failed else f"{median:.0f} ms"
        notes.append(Note(f"time: {name}", None if not failed else False, text, median))
    return notes


def _scenes() -> Iterator[tuple[str, tuple[str, ...], Scene]]:
    for kind in HANGS:
        yield f"hang-{kind}", ("hangs",), partial(hang, kind=kind)
    for kind in DIALOGS:
        for place in PLACES:
            rows = ("dialogs told", "dialogs answered")
            yield f"{kind}-{place}", rows, partial(dialog, kind=kind, place=place)
    for page in ("redrawn", "shifted", "moving"):
        yield f"moved-{page}", ("moved",), partial(moved, page=page)
    for scene in (covered, stale, frame, untrue, secrets):
        yield scene.__name__, (scene.__name__,), scene
    yield "order", ("characters of a read", "characters of a task"), order
    yield "six", ("six",), six
    yield "popup", ("popup",), popup
    yield "crash", ("crash",), crash
    yield "many", ("many: read", "many: find"), many
    yield "times", ("time: counting click", "time: click", "time: type", "time: read"), times


SCENES = {name: (rows, scene) for name, rows, scene in _scenes()}
"""The rows that a scene fills, and the scene."""
ROUGH = {
    "crash",
    *(name for name, (rows, _) in SCENES.items() if rows[0] in ("hangs", "dialogs told")),
}
"""The scenes after which a browser may be of no more use."""
TIMED = ("many", "times")
"""The scenes that need the machine for themselves."""
QUICK = ("hang-click", "confirm-top", "popup", "stale", "order", "six", "many", "times")
"""The scenes of a quick run."""
