"""The field: what stands around the process under test, in a process of its own.

Its threads, sockets and browser are not counted, and the process under test finds them at fixed
addresses: a site under two names, and a browser that somebody else started, behind a relay that
cuts its connections when asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from support.hangs import servers
from support.relay import Relay
from support.running import running_chromium
from support.site import Site

__all__ = ["Field", "standing"]

_SHOP = """
<style>#menu:hover + p { color: red }</style>
<h1>Shop</h1>
<button onclick="document.title = confirm('Sure?') ? 'yes' : 'no'">Ask</button>
<button onclick="document.title = prompt('Name?') ?? 'nobody'">Name</button>
<button onclick="while (true) {}">Hang</button>
<button onclick="window.open('/calm')">Popup</button>
<button onclick="console.error('broken', Date.now())">Fail</button>
<a href="/report">Report</a>
<form onsubmit="event.preventDefault(); document.title = 'sent'">
<input aria-label=Field><select aria-label=Menu><option>One<option>Two</select>
<input type=checkbox aria-label=Agree></form>
<input type=file aria-label=File>
<ul id=list></ul>
<div style="height: 3000px">tall</div>
<iframe name=inner src="THERE/inner"></iframe>
<script>
let n = 0
function more() {
  n += 1
  list.replaceChildren(...[n, n + 1].map((i) => {
    const item = document.createElement('li')
    item.innerHTML = `<a href="#${i}">Item ${i}</a>`
    return item
  }))
}
more()
setInterval(more, 500)
</script>
"""
_INNER = "<button onclick=\"this.textContent = 'Pressed'\">Inside</button><input aria-label=Deep>"


@dataclass(frozen=True)
class Field:
    """The addresses of everything in the field."""

    here: str
    """The site."""
    there: str
    """The site under another name."""
    browser: str
    """The relay in front of a browser."""


@contextmanager
def standing(folder: Path) -> Iterator[Field]:
    """The field, for as long as the block lasts.

    Args:
        folder: for the browser's profile and sockets; a short path.
    """
    with Site() as site, running_chromium(folder) as port, Relay(port) as relay:

        def cut(handler: BaseHTTPRequestHandler) -> None:
            relay.cut()
            _answer(handler, b"cut", {})

        def report(handler: BaseHTTPRequestHandler) -> None:
            _answer(handler, b"x" * 50_000, {"Content-Disposition": "attachment"})

        site.pages["/cut"] = cut
        site.pages["/report"] = report
        site.pages["/silent"] = servers.silent
        site.page("/inner", _INNER)
        site.page("/calm", "calm", title="Calm")
        site.page("/shop", _SHOP.replace("THERE", site.there), title="Shop")
        yield Field(site.here, site.there, relay.url)


def _answer(handler: BaseHTTPRequestHandler, body: bytes, headers: dict[str, str]) -> None:
    handler.send_response(200)
    for name, value in {**headers, "Content-Length": str(len(body))}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)
