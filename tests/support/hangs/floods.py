# ruff: noqa: E501 - pages and scripts, each in one piece
"""Scripts that flood the page, the browser or us with work."""

from __future__ import annotations

from support.hangs.hang import Costs, Hang, evaluate, goto, raw, reload

__all__ = ["FLOODS"]

GROW = "const kept = []; for (;;) kept.push(new Array(1e6).fill(0.5))"

FLOODS = (
    Hang(name="flood-console", call=evaluate("for (;;) console.log('flood', performance.now())")),
    Hang(name="flood-console-errors", call=evaluate("for (;;) console.error(new Error('flood'))")),
    Hang(
        name="flood-elements",
        call=evaluate("for (;;) document.body.append(document.createElement('p'))"),
    ),
    Hang(
        name="flood-frames",
        call=evaluate("for (;;) document.body.append(document.createElement('iframe'))"),
    ),
    Hang(
        name="flood-layout",
        call=evaluate(
            "for (let n = 0; ; n++) { document.body.style.width = n % 900 + 'px'; document.body.offsetHeight }"
        ),
    ),
    Hang(
        name="flood-history",
        call=evaluate("for (let n = 0; ; n++) history.pushState(0, '', '?' + n)"),
    ),
    Hang(name="flood-fetches", call=evaluate("for (;;) fetch('/nothing')")),
    Hang(name="flood-messages", call=evaluate("for (;;) postMessage('x'.repeat(1000))")),
    Hang(name="flood-workers", call=evaluate("for (;;) new Worker('data:,')")),
    Hang(
        name="flood-storage",
        call=evaluate("for (let n = 0; ; n++) localStorage.setItem('key', 'x'.repeat(1e6) + n)"),
        pages={"": "storage"},
    ),
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
        timeout_ms=2_000,
        heavy=True,
    ),
    Hang(
        name="too-long-string",
        call=evaluate("let s = 'x'.repeat(2 ** 28); for (;;) s += s"),
        ends=frozenset({"js_error"}),
        timeout_ms=2_000,
        heavy=True,
    ),
    Hang(
        name="out-of-memory",
        call=evaluate(GROW),
        ends=frozenset({"target_crashed"}),
        timeout_ms=20_000,
        after=reload,
        costs=Costs.DOCUMENT,
        heavy=True,
    ),
    Hang(
        name="out-of-memory-on-load",
        pages={"page": f"<script>{GROW}</script>"},
        call=goto("page"),
        ends=frozenset({"target_crashed"}),
        timeout_ms=20_000,
        after=goto("calm"),
        costs=Costs.DOCUMENT,
        heavy=True,
    ),
    Hang(
        name="crash",
        call=raw("Page.crash"),
        ends=frozenset({"target_crashed"}),
        after=reload,
        costs=Costs.DOCUMENT,
        timeout_ms=5_000,
    ),
)
