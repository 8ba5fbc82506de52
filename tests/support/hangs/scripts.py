# ruff: noqa: E501 - pages and scripts, each in one piece
"""Scripts in evaluate that never end, or not in time."""

from __future__ import annotations

from support.hangs.hang import (
    LOOP,
    Costs,
    Hang,
    evaluate,
    evaluate_in_frame,
    evaluate_on_element,
    screenshot,
    snapshot,
)
from support.hangs.servers import script, silent

__all__ = ["SCRIPTS"]

WEBASSEMBLY = (
    "new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(["
    "0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, "
    "10, 9, 1, 7, 0, 3, 64, 12, 0, 11, 11]))).exports.f()"
)
"""(module (func (export "f") (loop (br 0))))"""
FILL = "window.numbers = Array.from({length: 3e7}, Math.random); 0"
LATER = evaluate(f"setTimeout(() => {{ {LOOP} }}); 0")
WORKER = "new Worker(URL.createObjectURL(new Blob(['for (;;) {}'])))"

SCRIPTS = (
    Hang(name="loop", call=evaluate(LOOP)),
    Hang(name="loop-in-statements", call=evaluate(f"const x = 1; {LOOP}; return x")),
    Hang(name="loop-in-function", call=evaluate(f"() => {{ {LOOP} }}")),
    Hang(
        name="loop-on-element",
        pages={"": "<button>Buy</button>"},
        aims_at="Buy",
        call=evaluate_on_element(f"(element) => {{ {LOOP} }}"),
    ),
    Hang(
        name="loop-in-same-process-frame",
        pages={"": "<iframe src=inner></iframe>", "inner": "inner"},
        call=evaluate_in_frame(LOOP),
    ),
    Hang(
        name="loop-in-out-of-process-frame",
        pages={"": "<iframe src=$there/inner></iframe>", "inner": "inner"},
        call=evaluate_in_frame(LOOP),
    ),
    Hang(name="timer", before=(LATER,), call=evaluate("1")),
    Hang(
        name="timer-under-await",
        call=evaluate(f"setTimeout(() => {{ {LOOP} }}); await new Promise(() => {{}})"),
    ),
    Hang(
        name="timer-under-snapshot",
        before=(LATER,),
        call=snapshot,
        ends=frozenset({"ok"}),
        lingers=True,
    ),
    Hang(
        name="timer-under-screenshot",
        before=(LATER,),
        call=screenshot,
        ends=frozenset({"ok", "budget_exceeded"}),
        lingers=True,
    ),
    Hang(
        name="microtasks",
        call=evaluate(
            "Promise.resolve().then(function again() { return Promise.resolve().then(again) })"
        ),
    ),
    Hang(
        name="queued-microtasks", call=evaluate("(function again() { queueMicrotask(again) })(); 0")
    ),
    Hang(name="await-loop", call=evaluate("(async () => { while (true) await 0 })()")),
    Hang(
        name="try-catch",
        call=evaluate("(() => { while (true) { try { while (true) {} } catch {} } })()"),
    ),
    Hang(
        name="try-finally",
        call=evaluate("(function again() { try { while (true) {} } finally { again() } })()"),
    ),
    Hang(
        name="recursion",
        call=evaluate("(function again() { for (;;) try { again() } catch {} })()"),
        costs=Costs.DOCUMENT,
    ),
    Hang(name="getter", call=evaluate("({get x() { while (true) {} }})")),
    Hang(
        name="getter-of-array",
        call=evaluate("Object.defineProperty([1], 0, {get() { while (true) {} }})"),
    ),
    Hang(name="proxy", call=evaluate("new Proxy({}, {ownKeys() { while (true) {} }})")),
    Hang(
        name="endless-proxy",
        call=evaluate(
            "(function nest() { return new Proxy({}, {ownKeys: () => ['x'], getOwnPropertyDescriptor: () => ({value: 1, enumerable: true, configurable: true}), get: nest}) })()"
        ),
        ends=frozenset({"ok", "budget_exceeded"}),
    ),
    Hang(name="thenable", call=evaluate("({then() { while (true) {} }})")),
    Hang(
        name="to-string-of-error",
        call=evaluate("throw {toString() { while (true) {} }}"),
        ends=frozenset({"js_error", "budget_exceeded"}),
    ),
    Hang(
        name="stack-of-error",
        call=evaluate("Error.prepareStackTrace = () => { while (true) {} }; throw new Error('x')"),
        ends=frozenset({"js_error", "budget_exceeded"}),
        costs=Costs.DOCUMENT,
    ),
    Hang(
        name="iterator",
        call=evaluate("[...{[Symbol.iterator]: () => ({next: () => ({value: 1})})}]"),
    ),
    Hang(name="regexp", call=evaluate("/(a+)+$/.test('a'.repeat(40) + 'b')")),
    Hang(
        name="bigint",
        call=evaluate("let n = 3n; for (;;) n *= n"),
        ends=frozenset({"js_error", "budget_exceeded"}),
        costs=Costs.DOCUMENT,
    ),
    Hang(name="webassembly", call=evaluate(WEBASSEMBLY)),
    Hang(name="promise", call=evaluate("new Promise(() => {})"), costs=Costs.NOTHING),
    Hang(
        name="fetch",
        pages={"": "fetch", "silent": silent},
        call=evaluate("fetch('silent')"),
        costs=Costs.NOTHING,
    ),
    Hang(
        name="import",
        pages={"": "import", "silent": silent},
        call=evaluate("import('./silent')"),
        costs=Costs.NOTHING,
    ),
    Hang(
        name="worker",
        call=evaluate(f"new Promise((resolve) => {{ {WORKER}.onmessage = resolve }})"),
        costs=Costs.NOTHING,
    ),
    Hang(
        name="shared-worker",
        pages={"": "shared worker", "worker.js": script(LOOP)},
        call=evaluate(
            "new Promise((resolve) => { const worker = new SharedWorker('worker.js'); "
            "worker.port.onmessage = resolve; worker.port.start() })"
        ),
        costs=Costs.NOTHING,
    ),
    Hang(
        name="request-under-script",
        pages={"": "request", "silent": silent},
        call=evaluate("const r = new XMLHttpRequest(); r.open('GET', 'silent', false); r.send()"),
        costs=Costs.DOCUMENT,
    ),
    Hang(
        name="request-in-timer",
        pages={"": "request", "silent": silent},
        before=(
            evaluate(
                "setTimeout(() => { const r = new XMLHttpRequest(); r.open('GET', 'silent', false); r.send() }); 0"
            ),
        ),
        call=evaluate("1"),
        costs=Costs.DOCUMENT,
    ),
    Hang(
        name="sort",
        before=(evaluate(FILL),),
        call=evaluate("numbers.sort()"),
        costs=Costs.DOCUMENT,
        heavy=True,
    ),
    Hang(
        name="sort-under-snapshot",
        before=(evaluate(FILL), evaluate("setTimeout(() => numbers.sort()); 0")),
        call=snapshot,
        ends=frozenset({"ok"}),
        lingers=True,
        costs=Costs.DOCUMENT,
        heavy=True,
    ),
)
