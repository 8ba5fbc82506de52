"""A page that hangs others: frames, popups and tabs in one process."""

from __future__ import annotations

from support.hangs.hang import LOOP, Costs, Hang, Scene, evaluate, evaluate_in_frame, snapshot

__all__ = ["SHARING"]

POPUP = {"": "opener", "popup": f"<script>onmessage = () => {{ {LOOP} }}</script>popup"}
OPEN = evaluate(
    "new Promise((loaded) => { const w = window.open('popup'); w.onload = () => loaded(0) })"
)


def others(scene: Scene) -> list[str]:
    return [tab.tab_id for tab in scene.browser.state.tabs if tab.tab_id != scene.tab_id]


def evaluate_in_popup(script: str, nth: int = 0):  # type: ignore[no-untyped-def]
    return lambda scene, timeout_ms: scene.browser.evaluate(
        script, tab_id=others(scene)[nth], timeout_ms=timeout_ms
    )


LATER = f"setTimeout(() => {{ {LOOP} }}); 0"

SHARING = (
    Hang(
        name="opener-of-hung-popup",
        pages=POPUP,
        before=(OPEN, evaluate_in_popup(LATER)),
        call=evaluate("1"),
    ),
    Hang(
        name="popup-of-hung-opener",
        pages=POPUP,
        before=(OPEN, evaluate(LATER)),
        call=evaluate_in_popup("1"),
    ),
    Hang(name="popup", pages=POPUP, before=(OPEN,), call=evaluate_in_popup(LOOP)),
    Hang(name="ten-tabs", pages=POPUP, before=(OPEN,) * 9, call=evaluate_in_popup(LOOP, 4)),
    Hang(
        name="ten-tabs-called-in-another",
        pages=POPUP,
        before=((OPEN,) * 9) + (evaluate_in_popup(LATER, 4),),
        call=evaluate_in_popup("1", 7),
    ),
    Hang(
        name="ten-tabs-stubborn",
        pages=POPUP,
        before=((OPEN,) * 9) + (evaluate_in_popup(f"setInterval(() => {{ {LOOP} }}); 0", 4),),
        call=evaluate_in_popup("1", 7),
        costs=Costs.DOCUMENT,
    ),
    Hang(
        name="out-of-process-frame",
        pages={"": "<iframe src=$there/inner></iframe>", "inner": "inner"},
        before=(evaluate_in_frame(LATER),),
        call=evaluate_in_frame("1"),
    ),
    Hang(
        name="out-of-process-frame-under-snapshot",
        pages={"": "<p>outer</p><iframe src=$there/inner></iframe>", "inner": "inner"},
        before=(evaluate_in_frame(LATER),),
        call=snapshot,
        ends=frozenset({"ok"}),
    ),
    Hang(
        name="same-process-frame",
        pages={"": "<iframe src=inner></iframe>", "inner": "inner"},
        before=(evaluate_in_frame(LATER),),
        call=evaluate("1"),
    ),
)
