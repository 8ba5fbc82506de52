# ruff: noqa: E501 - pages and scripts, each in one piece
"""Pages that hang while they load or unload, and unresponsive servers."""

from __future__ import annotations

from support.hangs.hang import LOOP, Costs, Hang, click, close, evaluate, goto, held_up, reload
from support.hangs.servers import (
    broken,
    cut_short,
    drip,
    headers_only,
    redirecting,
    script,
    silent,
)

__all__ = ["LOADING"]

OR_STILL_LOADING = frozenset({"ok", "budget_exceeded"})
UNREACHABLE = frozenset({"page_unreachable"})


def arriving(name: str, body: str, **more: object) -> Hang:
    """A page that hangs when it is opened."""
    more = {"ends": OR_STILL_LOADING, "lingers": True, "costs": Costs.DOCUMENT, **more}
    return Hang(name=name, pages={"page": body}, call=goto("page"), **more)  # type: ignore[arg-type]


def leaving(name: str, event: str, call: object, **more: object) -> Hang:
    """A page that loops in an unload event."""
    body = f"<button>Touch</button><script>addEventListener('{event}', () => {{ {LOOP} }})</script>"
    more = {"ends": OR_STILL_LOADING, "lingers": True, "costs": Costs.DOCUMENT, **more}
    return Hang(
        name=name,
        pages={"": body, "next": "<h1>Next</h1>"},
        call=call,  # type: ignore[arg-type]
        **more,  # type: ignore[arg-type]
    )


def closing(name: str, event: str, **more: object) -> Hang:
    """The same when its tab is closed; the browser itself limits such a page to half a second."""
    more = {"ends": frozenset({"ok"}), "lingers": False, "timeout_ms": 2_000, **more}
    return leaving(name, event, close, **more)


def served(name: str, respond: object, **more: object) -> Hang:
    """A server from which a page is requested."""
    more = {"costs": Costs.NOTHING, **more}
    return Hang(name=name, pages={"page": respond}, call=goto("page"), **more)  # type: ignore[arg-type,dict-item]


def held(name: str, body: str, resource: object = silent, **more: object) -> Hang:
    """A page that waits for one of its own subresources."""
    more = {"ends": OR_STILL_LOADING, "costs": Costs.DOCUMENT, **more}
    return Hang(name=name, pages={"page": body, "held": resource}, call=goto("page"), **more)  # type: ignore[arg-type,dict-item]


ACTIVATED = """navigator.serviceWorker.register('worker.js', {scope: 'behind/'}).then((made) =>
  new Promise((on) => {
    const worker = made.installing ?? made.waiting ?? made.active;
    const look = () => worker.state === 'activated' && on(0);
    worker.onstatechange = look;
    look();
  }))"""


def behind_worker(name: str, text: str) -> Hang:
    """A page whose request goes through a service worker first."""
    return Hang(
        name=name,
        pages={"": "service worker", "worker.js": script(text), "behind/page": "never seen"},
        before=(evaluate(ACTIVATED),),
        call=goto("behind/page"),
        costs=Costs.NOTHING,
    )


LOADING = (
    arriving("load-handler", f"<script>onload = () => {{ {LOOP} }}</script>"),
    arriving(
        "ready-handler",
        f"<script>document.onDOMContentLoaded = 0; document.addEventListener('DOMContentLoaded', () => {{ {LOOP} }})</script>",
    ),
    arriving("show-handler", f"<script>onpageshow = () => {{ {LOOP} }}</script>"),
    arriving("parse", f"<script>{LOOP}</script>", ends=frozenset({"budget_exceeded"})),
    arriving(
        "parse-twice", f"<script>{LOOP}</script><script>{LOOP}</script><script>{LOOP}</script>"
    ),
    arriving("parse-module", f"<script type=module>{LOOP}</script>"),
    arriving("parse-frame", f"<iframe srcdoc='<script>{LOOP}</script>'></iframe>"),
    arriving("parse-write", "<script>for (;;) document.write('x ')</script>"),
    arriving("parse-image-error", f"<img src='data:,x' onerror='{LOOP}'>"),
    arriving(
        "parse-sort",
        "<script>Array.from({length: 3e7}, Math.random).sort()</script>",
        timeout_ms=1_500.0,
        heavy=True,
    ),
    leaving("beforeunload", "beforeunload", goto("next")),
    leaving("pagehide", "pagehide", goto("next")),
    leaving("unload", "unload", goto("next")),
    leaving("visibility", "visibilitychange", goto("next")),
    leaving("beforeunload-reload", "beforeunload", reload),
    leaving("pagehide-reload", "pagehide", reload),
    leaving("unload-reload", "unload", reload),
    closing("beforeunload-close", "beforeunload"),
    closing("pagehide-close", "pagehide"),
    closing("unload-close", "unload"),
    closing("beforeunload-close-touched", "beforeunload", before=(click,), aims_at="Touch"),
    leaving("beforeunload-touched", "beforeunload", goto("next"), before=(click,), aims_at="Touch"),
    served("server-silent", silent),
    served(
        "server-silent-after-freed",
        silent,
        before=(held_up(evaluate(LOOP)),),
        costs=Costs.SCRIPT,
    ),
    served("server-headers-only", headers_only, ends=OR_STILL_LOADING, costs=Costs.DOCUMENT),
    served("server-drip", drip, ends=OR_STILL_LOADING, costs=Costs.DOCUMENT),
    served("server-cut-short", cut_short, ends=UNREACHABLE | {"ok"}, costs=Costs.DOCUMENT),
    served("server-broken", broken, ends=UNREACHABLE, costs=Costs.DOCUMENT),
    served(
        "redirects",
        redirecting("page"),
        ends=UNREACHABLE | {"budget_exceeded"},
        costs=Costs.DOCUMENT,
    ),
    held("held-image", "<img src=held>"),
    held("held-image-drip", "<img src=held>", drip),
    held("held-script", "<script src=held></script>"),
    held("held-script-late", "<script src=held defer></script>"),
    held("held-style", "<link rel=stylesheet href=held><script>window.ran = true</script>"),
    held("held-frame", "<iframe src=held></iframe>"),
    held("held-out-of-process-frame", "<iframe src=$there/held></iframe>"),
    behind_worker("service-worker", f"onfetch = () => {{ {LOOP} }}"),
    behind_worker(
        "service-worker-silent",
        "onfetch = (event) => event.respondWith(new Promise(() => {}))",
    ),
)
