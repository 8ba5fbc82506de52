# ruff: noqa: E501 - pages and scripts, each in one piece
"""Pages that wait for an answer: dialogs, and the debugger."""

from __future__ import annotations

import asyncio
from typing import Any

from support.hangs.hang import LOOP, Costs, Hang, Scene, click, close, evaluate, goto, raw

__all__ = ["PROMPTS"]

ASKED = frozenset({"interrupted"})
CONFIRM = "<button onclick=\"window.got = confirm('Sure?')\">Go</button>"


def accept(scene: Scene, timeout_ms: float) -> Any:
    return scene.browser.dialog("accept", timeout_ms=timeout_ms)


def accept_at_rest(scene: Scene, timeout_ms: float) -> Any:
    """After the call's recovery, which must not affect the answer's consequences."""
    rescue = scene.browser._task.hangs.rescue_of(scene.tab_id)
    if rescue is not None:
        scene.browser._engine.run_sync(asyncio.wait_for(asyncio.shield(rescue.work), 60))
    return accept(scene, timeout_ms)


def leave(scene: Scene, timeout_ms: float) -> Any:
    """The page opens a beforeunload dialog; its link then leads to the target."""
    accept_at_rest(scene, timeout_ms)
    return scene.browser.wait(text="arrived", tab_id=scene.tab_id, timeout_ms=timeout_ms)


def asking(name: str, script: str, **more: object) -> Hang:
    """A script that opens dialogs."""
    more = {"ends": ASKED, "after": accept, "costs": Costs.NOTHING, **more}
    return Hang(name=name, call=evaluate(script), **more)  # type: ignore[arg-type]


def late(name: str, script: str, **more: object) -> Hang:
    """A script that must be stopped, and a dialog that opens when it is."""
    return asking(
        f"loop-then-{name}",
        f"{script}; {LOOP}",
        ends=frozenset({"budget_exceeded"}),
        after=accept_at_rest,
        costs=Costs.SCRIPT,
        **more,
    )


LATE = "setTimeout(() => { window.got = confirm('late') })"

PROMPTS = (
    asking("alert", "alert('x'); 1"),
    asking("alert-native", "alert('x'); 1", bridge="native"),
    asking("alert-storm", "for (;;) alert('x')", after=close),
    asking("alert-storm-native", "for (;;) alert('x')", after=close, bridge="native"),
    asking("prompt-loop", "while (prompt('name?') !== 'open sesame');", after=close),
    asking(
        "busy-then-confirm",
        "const end = performance.now() + 900; while (performance.now() < end); confirm('late')",
        ends=frozenset({"budget_exceeded"}),
        after=None,
        costs=Costs.SCRIPT,
    ),
    late("confirm", LATE),
    late("confirm-native", LATE, bridge="native"),
    late(
        "confirm-in-frame",
        "frames[0].setTimeout(\"parent.got = confirm('late')\")",
        pages={"": "<iframe srcdoc=inner></iframe>"},
        bridge="native",
    ),
    late(
        "alert-in-popup",
        "window.open('asks')",
        pages={"": "opener", "asks": "<script>alert('late')</script>"},
    ),
    Hang(
        name="loop-then-beforeunload",
        pages={
            "": f"<a href=next onclick='{LOOP}'>Go</a><script>onbeforeunload = (event) => event.preventDefault()</script>",
            "next": "arrived",
        },
        aims_at="Go",
        call=click,
        after=leave,
        costs=Costs.DOCUMENT,
    ),
    Hang(
        name="click-confirm",
        pages={"": CONFIRM},
        aims_at="Go",
        call=click,
        ends=ASKED,
        after=accept,
        costs=Costs.NOTHING,
    ),
    Hang(
        name="behind-native-dialog",
        pages={"": CONFIRM},
        aims_at="Go",
        bridge="native",
        before=(click,),
        call=evaluate("1"),
        ends=frozenset({"dialog_pending"}),
        after=accept,
        costs=Costs.NOTHING,
    ),
    Hang(
        name="alert-on-load",
        pages={"page": "<script>alert('hello')</script>"},
        call=goto("page"),
        ends=ASKED,
        after=accept,
        costs=Costs.DOCUMENT,
    ),
    Hang(
        name="beforeunload-asks",
        pages={
            "": "<button>Touch</button><script>onbeforeunload = (event) => event.preventDefault()</script>",
            "next": "next",
        },
        aims_at="Touch",
        before=(click,),
        call=goto("next"),
        ends=ASKED,
        after=accept,
        costs=Costs.DOCUMENT,
    ),
    Hang(
        name="debugger", call=evaluate("debugger; 1"), ends=frozenset({"ok"}), costs=Costs.NOTHING
    ),
    Hang(
        name="debugger-in-timer",
        before=(evaluate("setTimeout(() => { debugger }); 0"),),
        call=evaluate("1"),
        ends=frozenset({"ok"}),
        costs=Costs.NOTHING,
    ),
    Hang(
        name="debugger-enabled-by-agent",
        before=(raw("Debugger.enable"),),
        call=evaluate("debugger; 1"),
        ends=frozenset({"ok", "budget_exceeded"}),
    ),
    Hang(
        name="debugger-in-page-enabled-by-agent",
        pages={"": "<button onclick='debugger'>Go</button>"},
        aims_at="Go",
        before=(raw("Debugger.enable"),),
        call=click,
        ends=frozenset({"ok", "budget_exceeded"}),
    ),
    Hang(
        name="debugger-paused-by-agent",
        before=(raw("Debugger.enable"), raw("Debugger.pause")),
        call=evaluate("1"),
        ends=frozenset({"ok", "budget_exceeded"}),
    ),
    Hang(
        name="debugger-loop",
        before=(raw("Debugger.enable"),),
        call=evaluate("for (;;) { debugger }"),
    ),
    Hang(
        name="debugger-on-exceptions",
        before=(raw("Debugger.enable"), raw("Debugger.setPauseOnExceptions", state="all")),
        call=evaluate("throw new Error('x')"),
        ends=frozenset({"js_error", "budget_exceeded"}),
    ),
    Hang(
        name="print",
        call=evaluate("window.print(); 1"),
        ends=frozenset({"ok"}),
        costs=Costs.NOTHING,
    ),
)
