# ruff: noqa: E501 - pages and scripts, each in one piece
"""Scripts that flood the page, the browser or Tabwarden with work, or exhaust memory."""

from __future__ import annotations

from support.hangs.hang import Costs, Hang, Scene, evaluate, goto, raw
from support.hangs.processes import limit_memory

__all__ = ["FLOODS"]

GROW = "const kept = []; for (;;) kept.push(new Array(1e6).fill(0.5))"
CRASHED = frozenset({"target_crashed"})


def flood(name: str, script: str) -> Hang:
    """After a stop, the page has seconds of work left, which can cost the page."""
    return Hang(
        name=f"flood-{name}",
        pages={"": "flooded"},
        call=evaluate(script),
        costs=Costs.DOCUMENT,
    )


def little_memory(scene: Scene, timeout_ms: float) -> None:
    limit_memory(scene.browser)


FLOODS = (
    flood("console", "for (;;) console.log('flood', performance.now())"),
    flood("console-errors", "for (;;) console.error(new Error('flood'))"),
    flood("elements", "for (;;) document.body.append(document.createElement('p'))"),
    flood("frames", "for (;;) document.body.append(document.createElement('iframe'))"),
    flood(
        "layout",
        "for (let n = 0; ; n++) { document.body.style.width = n % 900 + 'px'; document.body.offsetHeight }",
    ),
    flood("history", "for (let n = 0; ; n++) history.pushState(0, '', '?' + n)"),
    flood("fetches", "for (;;) fetch('/nothing')"),
    flood("messages", "for (;;) postMessage('x'.repeat(1000))"),
    # In large numbers they block the browser process itself for about ten seconds.
    flood("workers", "for (let n = 0; ; n++) n < 300 && new Worker('data:,')"),
    flood("storage", "for (let n = 0; ; n++) localStorage.setItem('key', 'x'.repeat(1e6) + n)"),
    flood("windows", "for (let n = 0; ; n++) n < 10 && window.open('about:blank')"),
    flood("memory", GROW),
    Hang(
        name="layout",
        pages={"": "<div style='width: 300px; overflow-wrap: anywhere'></div>"},
        call=evaluate(
            "document.querySelector('div').textContent = 'a\\u0301 b '.repeat(2e7); document.body.offsetHeight"
        ),
        costs=Costs.DOCUMENT,
        heavy=True,
    ),
    Hang(
        name="huge-string",
        call=evaluate("'x'.repeat(5e8)"),
        ends=frozenset({"ok", "budget_exceeded"}),
        costs=Costs.DOCUMENT,
        heavy=True,
    ),
    Hang(
        name="too-long-string",
        call=evaluate("let s = 'x'.repeat(2 ** 28); for (;;) s += s"),
        ends=frozenset({"js_error"}),
        costs=Costs.NOTHING,
        timeout_ms=5_000,
    ),
    Hang(
        name="out-of-memory",
        before=(little_memory,),
        call=evaluate(GROW),
        ends=CRASHED,
        costs=Costs.DOCUMENT,
        timeout_ms=10_000,
        heavy=True,
    ),
    Hang(
        name="out-of-memory-on-load",
        pages={"page": f"<script>{GROW}</script>"},
        before=(little_memory,),
        call=goto("page"),
        ends=CRASHED,
        costs=Costs.DOCUMENT,
        timeout_ms=10_000,
        heavy=True,
    ),
    Hang(
        name="crash",
        call=raw("Page.crash"),
        ends=CRASHED,
        costs=Costs.DOCUMENT,
        timeout_ms=5_000,
    ),
)
