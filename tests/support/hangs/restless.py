# ruff: noqa: E501 - pages and scripts, each in one piece
"""Pages that never rest: they navigate endlessly, or hang again after a stop."""

from __future__ import annotations

from support.hangs.hang import LOOP, Costs, Hang, evaluate, goto
from support.hangs.servers import redirecting

__all__ = ["RESTLESS"]

AGAIN = frozenset({"ok", "budget_exceeded"})


def moving(name: str, **pages: object) -> Hang:
    """A page that keeps navigating away."""
    return Hang(
        name=name,
        pages=pages,  # type: ignore[arg-type]
        call=goto("page"),
        ends=AGAIN,
        lingers=True,
        costs=Costs.DOCUMENT,
        restless=True,
    )


def stubborn(name: str, script: str, **more: object) -> Hang:
    """A script that starts loop after loop, in a page that does not repeat it after a reload."""
    more = {"ends": AGAIN, "lingers": True, "costs": Costs.DOCUMENT, **more}
    return Hang(name=name, before=(evaluate(f"{script}; 0"),), call=evaluate("1"), **more)  # type: ignore[arg-type]


def incurable(name: str, script: str, body: str = "") -> Hang:
    """The same in a page that starts it on each load."""
    return Hang(
        name=name,
        pages={"page": f"{body}<script>{script}</script>"},
        call=goto("page"),
        ends=AGAIN,
        lingers=True,
        costs=Costs.DOCUMENT,
    )


STORM = f"for (let n = 0; n < 2000; n++) setTimeout(() => {{ {LOOP} }})"
INTERVAL = f"setInterval(() => {{ {LOOP} }}, 0)"
RESTING = f"setInterval(() => {{ {LOOP} }}, 100)"
FRAMES = f"requestAnimationFrame(function again() {{ requestAnimationFrame(again); {LOOP} }})"
DRIVER = "const driver = new Worker(URL.createObjectURL(new Blob(['setInterval(() => postMessage(0), 5)'])));"
LOOPS = f"driver.onmessage = () => {{ {LOOP} }}"
WORKER = DRIVER + LOOPS
CHANNEL = (
    "const {port1, port2} = new MessageChannel();"
    f"port1.onmessage = () => {{ port2.postMessage(0); {LOOP} }}; port2.postMessage(0)"
)

RESTLESS = (
    stubborn("stubborn-interval", INTERVAL),
    stubborn("stubborn-storm", STORM),
    stubborn("stubborn-resting", RESTING),
    stubborn("stubborn-frames", FRAMES),
    stubborn("stubborn-channel", CHANNEL),
    stubborn(
        "stubborn-worker", f"{DRIVER}await new Promise((on) => {{ driver.onmessage = on }});{LOOPS}"
    ),
    stubborn(
        "stubborn-intervals", f"for (let n = 0; n < 50; n++) setInterval(() => {{ {LOOP} }}, n)"
    ),
    incurable("incurable-interval", INTERVAL),
    incurable("incurable-storm", STORM),
    incurable("incurable-resting", RESTING),
    incurable("incurable-frames", FRAMES),
    incurable("incurable-worker", WORKER),
    incurable("incurable-frame", "", f"<iframe srcdoc='<script>{INTERVAL}</script>'></iframe>"),
    Hang(
        name="incurable-out-of-process-frame",
        pages={
            "": "<iframe src=$there/inner></iframe>",
            "inner": f"<script>setTimeout(() => {INTERVAL}, 200)</script>",
        },
        call=evaluate("new Promise(() => {})"),
        costs=Costs.SCRIPTS,  # one switch for all frames of a tab
    ),
    moving("reloads", page="<script>location.reload()</script>"),
    moving(
        "reloads-after-load",
        page="<script>onload = () => setTimeout(() => location.reload())</script>",
    ),
    moving("refreshes", page="<meta http-equiv=refresh content=0>"),
    moving(
        "replaces",
        page="<script>location.replace('other')</script>",
        other="<script>location.replace('page')</script>",
    ),
    moving(
        "replaces-across-sites",
        page="<script>location.replace('$there/other')</script>",
        other="<script>location.replace('$here/page')</script>",
    ),
    moving(
        "redirects-by-script",
        page="<script>location.href = 'other'</script>",
        other=redirecting("page"),
    ),
    moving(
        "pushes", page="<script>for (let n = 0; ; n++) history.pushState(0, '', '?' + n)</script>"
    ),
    moving(
        "hashes",
        page="<script>let n = 0; onhashchange = () => { location.hash = n++ }; location.hash = 'a'</script>",
    ),
    moving("submits", page="<form method=post></form><script>document.forms[0].submit()</script>"),
)
