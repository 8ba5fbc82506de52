# ruff: noqa: E501 - pages and scripts, each in one piece
"""Pages whose input handlers hang."""

from __future__ import annotations

from support.hangs.hang import (
    LOOP,
    Costs,
    Hang,
    calm_screenshot,
    click,
    evaluate_on_element,
    hover,
    press,
    type_text,
)
from support.hangs.servers import silent

__all__ = ["HANDLERS"]

BUTTON = "<button>Go</button>"
ON_CLICK = "<script>document.querySelector('button').onclick = () => {{ {0} }}</script>"


def clicked(name: str, script: str, body: str = "", **more: object) -> Hang:
    """A button whose click runs ``script``."""
    page = BUTTON + body + ON_CLICK.format(script)
    pages = {"": page, **more.pop("pages", {})}  # type: ignore[dict-item]
    return Hang(name=name, pages=pages, aims_at="Go", call=click, **more)  # type: ignore[arg-type]


def field(name: str, event: str, call: object, **more: object) -> Hang:
    """Two text fields; the first has an event handler that loops."""
    page = f"<input aria-label=Name on{event}='{LOOP}'><input aria-label=Other>"
    return Hang(name=name, pages={"": page}, aims_at="Name", call=call, **more)  # type: ignore[arg-type]


SHADER = """
const g = document.createElement('canvas').getContext('webgl'), p = g.createProgram();
for (const [kind, text] of [
  [g.VERTEX_SHADER, 'attribute vec2 a; void main() { gl_Position = vec4(a, 0, 1); }'],
  [g.FRAGMENT_SHADER, `precision highp float; void main() { float z = 0.;
    for (int i = 0; i < 100000000; i++) { z += sin(z + float(i)); } gl_FragColor = vec4(z); }`],
]) {
  const s = g.createShader(kind); g.shaderSource(s, text); g.compileShader(s); g.attachShader(p, s)
}
g.linkProgram(p); g.useProgram(p); g.bindBuffer(g.ARRAY_BUFFER, g.createBuffer());
g.bufferData(g.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), g.STATIC_DRAW);
g.enableVertexAttribArray(0); g.vertexAttribPointer(0, 2, g.FLOAT, false, 0, 0);
g.drawArrays(g.TRIANGLES, 0, 3); g.readPixels(0, 0, 1, 1, g.RGBA, g.UNSIGNED_BYTE, new Uint8Array(4))
"""
"""A minute of work for the GPU process, which draws for all tabs; the page waits for it."""
FOCUS = evaluate_on_element("(element) => element.focus()")
OR_BUSY = frozenset({"ok", "budget_exceeded"})

HANDLERS = (
    clicked("click", LOOP),
    clicked(
        "shader",
        SHADER,
        timeout_ms=1_000.0,
        after=calm_screenshot,
        costs=Costs.DOCUMENT,
        heavy=True,
    ),
    clicked("click-then-timer", f"setTimeout(() => {{ {LOOP} }})", lingers=True, ends=OR_BUSY),
    clicked(
        "click-goes-and-hangs",
        f"location.href = 'next'; {LOOP}",
        pages={"next": "next"},
        lingers=True,
        ends=OR_BUSY,
        costs=Costs.DOCUMENT,
    ),
    clicked(
        "click-sends-and-hangs",
        f"document.forms[0].submit(); {LOOP}",
        "<form action='next' method='post'></form>",
        pages={"next": "next"},
        lingers=True,
        ends=OR_BUSY,
        costs=Costs.DOCUMENT,
    ),
    clicked(
        "click-microtasks",
        "(function again() { queueMicrotask(again) })()",
        lingers=True,
        ends=OR_BUSY,
    ),
    clicked(
        "click-request",
        "const r = new XMLHttpRequest(); r.open('GET', 'silent', false); r.send()",
        pages={"silent": silent},
        costs=Costs.DOCUMENT,
    ),
    clicked(
        "click-custom-element",
        "document.body.append(document.createElement('x-loop'))",
        f"<script>customElements.define('x-loop', class extends HTMLElement {{ connectedCallback() {{ {LOOP} }} }})</script>",
    ),
    clicked(
        "click-custom-element-attribute",
        "document.querySelector('x-loop').setAttribute('mode', 'on')",
        "<x-loop></x-loop><script>customElements.define('x-loop', class extends HTMLElement {"
        f"static observedAttributes = ['mode']; attributeChangedCallback() {{ {LOOP} }} }})</script>",
    ),
    clicked(
        "click-mutation-observer",
        "document.body.append('more')",
        f"<script>onload = () => new MutationObserver(() => {{ {LOOP} }}).observe(document, {{childList: true, subtree: true}})</script>",
    ),
    clicked(
        "click-resize-observer",
        "document.querySelector('p').style.width = '10px'",
        f"<p>wide</p><script>let first = true; new ResizeObserver(() => {{ if (first) first = false; else {LOOP} }}).observe(document.querySelector('p'))</script>",
        lingers=True,
        ends=OR_BUSY,
    ),
    clicked(
        "click-frame-callback",
        f"requestAnimationFrame(() => {{ {LOOP} }})",
        lingers=True,
        ends=OR_BUSY,
    ),
    clicked(
        "click-animation-end",
        f"document.querySelector('p').animate({{opacity: [0, 1]}}, 1).onfinish = () => {{ {LOOP} }}",
        "<p>animated</p>",
        lingers=True,
        ends=OR_BUSY,
    ),
    clicked(
        "click-dom-growth",
        "for (;;) document.body.append(document.createElement('p'))",
        costs=Costs.DOCUMENT,
    ),
    clicked(
        "click-debugger",
        "debugger; document.title = 'gone on'",
        ends=frozenset({"ok"}),
        costs=Costs.NOTHING,
    ),
    clicked("click-print", "window.print()", ends=frozenset({"ok"}), costs=Costs.NOTHING),
    Hang(
        name="click-link-to-silence",
        pages={"": "<a href=silent>Go</a>", "silent": silent},
        aims_at="Go",
        call=click,
        ends=OR_BUSY,
        lingers=True,
        costs=Costs.NOTHING,
    ),
    Hang(
        name="click-link-that-loops-to-silence",
        pages={"": f"<a href=silent onclick='{LOOP}'>Go</a>", "silent": silent},
        aims_at="Go",
        call=click,
    ),
    Hang(
        name="click-form-that-loops-to-silence",
        pages={
            "": f"<form action=silent onsubmit='{LOOP}'><button>Go</button></form>",
            "silent": silent,
        },
        aims_at="Go",
        call=click,
    ),
    Hang(
        name="click-loops-to-silence",
        pages={
            "": f"<button>Go</button><script>document.querySelector('button').onclick = () => {{ setTimeout(() => {{ location.href = 'silent' }}); setTimeout(() => {{ {LOOP} }}); {LOOP} }}</script>",
            "silent": silent,
        },
        aims_at="Go",
        call=click,
    ),
    Hang(
        name="click-mouse-down",
        pages={"": f"<button onmousedown='{LOOP}'>Go</button>"},
        aims_at="Go",
        call=click,
    ),
    Hang(
        name="click-scroll",
        pages={
            "": f"<div style=height:4000px></div><button>Go</button><script>onscroll = () => {{ {LOOP} }}</script>"
        },
        aims_at="Go",
        call=click,
        lingers=True,
        ends=OR_BUSY,
    ),
    Hang(
        name="click-in-out-of-process-frame",
        pages={
            "": "<iframe src=$there/inner></iframe>",
            "inner": BUTTON + ON_CLICK.format(LOOP),
        },
        aims_at="Go",
        call=click,
        lingers=True,
        ends=OR_BUSY,
    ),
    Hang(
        name="click-in-same-process-frame",
        pages={"": "<iframe src=inner></iframe>", "inner": BUTTON + ON_CLICK.format(LOOP)},
        aims_at="Go",
        call=click,
    ),
    Hang(
        name="hover",
        pages={"": f"<button onmousemove='{LOOP}'>Go</button>"},
        aims_at="Go",
        call=hover,
    ),
    field("type-focus", "focus", type_text),
    field("type-input", "input", type_text),
    field("type-before-input", "beforeinput", type_text),
    field("press-key-down", "keydown", press("a"), before=(FOCUS,)),
    field("press-key-up", "keyup", press("a"), before=(FOCUS,)),
    field("press-blur", "blur", press("Tab"), before=(FOCUS,)),
)
