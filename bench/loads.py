"""Measures how the dialog bridges slow down page loads.

    python -m bench.loads [--quick] [--json FILE]

Times are from the start of the navigation to the load event, according to the page. There is one
browser for each bridge, and they load in turns. *new*: scripts that are new to the browser;
*again*: the same scripts, which V8 has compiled unless a debugger discarded the code. Ratios are to
*native*. The pages' server is this process, with the same cost for all bridges.
"""

from __future__ import annotations

import random
import socket
from collections.abc import Callable
from contextlib import AsyncExitStack
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from support.site import Site

from bench.bench import Asked, Bench, Found, alone
from bench.rows import OWN, Row
from tabwarden import Browser
from tabwarden.config import load_config

MODES = {"native": "native", "debugger": "debugger", OWN: "auto"}
"""The bridge for each way; ``auto`` is Tabwarden's default."""
LOAD = "performance.getEntriesByType('navigation')[0].loadEventStart"

Respond = Callable[[BaseHTTPRequestHandler], None]


def inline_scripts(visit: str) -> str:
    """Return 400 small inline scripts."""
    body = "(() => {{ const f = (x) => x * {0} + {0}; window.v{0} = f({0}); {1} }})()"
    pad = f"/* {visit} */" + "/* pad */" * 20
    return "".join(f"<script>{body.format(n, pad)}</script>" for n in range(400))


def library(number: int) -> str:
    """Return a script of about 40 kB: 200 functions, a third of which are called."""
    chance = random.Random(number)
    functions = [
        f"function f{n}(a, b) {{ var r = []; for (var k = 0; k < 3; k++) {{ r.push(a * k + b + "
        f"{chance.randint(1, 9999)}); }} var o = {{ name: 'n{n}', value: r, "
        f"get: function (x) {{ return x + {n}; }} }}; return o.get(r.length); }}"
        for n in range(200)
    ]
    calls = "".join(f"t += f{n}({n}, 1);" for n in range(0, 200, 3))
    whole = "\n".join(functions)
    return f"(function () {{ {whole}\nvar t = 0; {calls} window.L{number} = t; }})();"


def served(kind: str, text_of: Callable[[str], str]) -> Respond:
    """Return a path whose content depends on the visit's number in its query."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        body = text_of(handler.path.partition("?")[2]).encode()
        # Head and body are two writes. The second must not wait for an acknowledgement.
        handler.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Cache-Control", "max-age=9999")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def serve_pages(site: Site) -> dict[str, str]:
    """The pages by description."""

    def numbered(number: int) -> Callable[[str], str]:
        text = library(number)
        return lambda visit: f"/* {visit} */ {text}"

    def tags(visit: str) -> str:
        scripts = (f"<script src=/lib{number}.js?{visit}></script>" for number in range(60))
        return f"<!doctype html><body>{''.join(scripts)}"

    for number in range(60):
        site.pages[f"/lib{number}.js"] = served("text/javascript", numbered(number))
    inline = served("text/html", lambda visit: f"<!doctype html><body>{inline_scripts(visit)}")
    site.pages["/inline"] = inline
    site.pages["/external"] = served("text/html", tags)
    return {
        "400 inline scripts": site.here + "/inline",
        f"60 scripts of {len(library(0)) // 1000} kB": site.here + "/external",
    }


async def measure(asked: Asked, found: Found) -> None:
    """Measure each page's first visit, with new scripts, and repeated visits."""
    async with AsyncExitStack() as stack:
        pages = serve_pages(stack.enter_context(Site()))
        browsers = {}
        for way, bridge in MODES.items():
            browsers[way] = await stack.enter_async_context(launched(asked, bridge))
        ways = list(MODES)
        rows = {
            f"{page}, {kind}": Row(f"{page}, {kind}", {way: [] for way in ways})
            for page in pages
            for kind in ("new", "again")
        }
        for turn in range(asked.rounds(20, 3) + 2):  # the first two warm up and fill caches
            order = ways[turn % len(ways) :] + ways[: turn % len(ways)]
            for page, url in pages.items():
                for kind, visit in (("new", f"visit{turn}"), ("again", "always")):
                    for way in order:
                        await browsers[way].goto(f"{url}?{visit}")
                        took = (await browsers[way].evaluate(LOAD)).value
                        if turn >= 2:
                            rows[f"{page}, {kind}"].ways[way].append(took)
        found.add(*rows.values())


def launched(asked: Asked, bridge: Any) -> Browser:
    config = load_config(dialog_bridge=bridge).browser
    return Browser.launch(config=config.model_copy(update={"executable": Path(asked.browser)}))


BENCH = Bench("loads", "Page loads by dialog bridge", measure)

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))
