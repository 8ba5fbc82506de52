"""Pages that block an agent, and what an agent does on each; the trials of the hosts use them.

Each walk does what a person would ask an agent to do, through the host's own tools. It fails if a
call takes too long, if the answer does not say what blocks, or if the agent can't go on.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol, cast

CALL_S = 15.0
"""The time limit of a host's call: one or two requests of up to 6 s each, on a busy machine."""
BUDGET = {"TABWARDEN_BROWSER__DEFAULT_TIMEOUT_MS": "6000"}
_HEAD = "<!doctype html><title>Start</title><body>"
_CONFIRM = "document.title = confirm('Really?') ? 'yes' : 'no'"
PAGES = {
    "/calm": "<p>All calm</p>",
    "/nest": "<iframe src='OTHER/nest-middle'></iframe>",
    "/nest-middle": "<iframe src='ITSELF/nest-inner'></iframe>",
    "/nest-inner": "<button onclick=\"setTimeout(() => alert('From the depth'), 300); "
    'const end = Date.now() + 1500; while (Date.now() < end);">Deep</button>',
    "/popup": "<button onclick=\"window.open('/popup-child')\">Open</button>",
    "/popup-child": "<script>opener.document.title = prompt('Your name?')</script>",
    "/leave": "<button onclick='window.onbeforeunload = e => e.preventDefault()'>Edit</button>",
    "/loop-click": '<button onclick="while (true) {}">Spin</button>',
    "/loop-frame": "<p>Outside</p><iframe src='OTHER/loop-child'></iframe>"
    "<button onclick=\"document.title = 'outside'\">Outside</button>",
    "/loop-child": "<p>x</p><script>onload = () => { while (true) {} }</script>",
    "/storm": '<button onclick="for (let i = 0; i < 30; i++) alert(`Again ${i}`); '
    "document.title = 'over'\">Storm</button>",
    "/beside": "<iframe src='OTHER/calm'></iframe>"
    "<iframe srcdoc=\"<button onclick='alert(`Inside`)'>Inner</button>\"></iframe>",
    "/later": f'<button onclick="setTimeout(() => {{ {_CONFIRM} }}, 700)">Later</button>',
    "/windows": '<button onclick="for (let i = 0; i < 25; i++) window.open(`/calm?${i}`)">'
    "Many</button>",
    "/replaced": "<div id=box><button onmousedown=\"box.innerHTML = '<button>Buy now</button>'\">"
    "Buy</button></div>",
    "/timer": "<button onclick=\"setInterval(() => alert('Tick'), 50)\">Tick</button>",
    "/print": "<button onclick=\"print(); document.title = 'printed'\">Print</button>",
    "/download": "<a href='/file' download=report.txt>Report</a>",
    "/reload": '<button onclick="setInterval(() => location.reload(), 30)">Refresh</button>',
    "/worker": "<button onclick=\"document.body.append('wide '.repeat(3e6)); "
    "document.title = 'huge'\">Grow</button>",
    "/file": "a file",
}


class Agent(Protocol):
    """A host's tools, by purpose. Each returns the host's whole result as JSON."""

    def go(self, url: str) -> Any: ...
    def click(self, name: str) -> Any: ...
    def script(self, code: str) -> Any: ...
    def read(self) -> Any: ...
    def reply(self, accept: bool, text: str = "") -> Any: ...
    def crash(self) -> Any: ...
    def close(self) -> Any: ...


class Hard:
    """An agent's calls on the pages, timed."""

    def __init__(self, agent: Agent, here: str) -> None:
        self._agent, self._here = agent, here
        self.slowest = 0.0

    def go(self, path: str) -> str:
        return self._timed(self._agent.go, path if ":" in path else self._here + path)

    def click(self, name: str) -> str:
        return self._timed(self._agent.click, name)

    def script(self, code: str) -> str:
        return self._timed(self._agent.script, code)

    def read(self) -> str:
        return self._timed(self._agent.read)

    def crash(self) -> str:
        return self._timed(self._agent.crash)

    def close(self) -> str:
        return self._timed(self._agent.close)

    def reply(self, accept: bool = True, text: str = "") -> str:
        return self._timed(self._agent.reply, accept, text)

    def says(self, answer: str, *words: str) -> None:
        missing = [word for word in words if word not in answer]
        assert not missing, f"{missing} not in {answer[:1500]}"

    def titled(self, title: str) -> None:
        self.says(self.script("document.title"), title)

    def _timed(self, call: Callable[..., Any], *given: Any) -> str:
        started = time.monotonic()
        answer = json.dumps(call(*given), ensure_ascii=False)
        took = time.monotonic() - started
        self.slowest = max(self.slowest, took)
        assert took < CALL_S, f"{call.__name__}{given} took {took:.1f} s: {answer[:300]}"
        return answer


def _nested_frame(hard: Hard) -> None:
    hard.go("/nest")
    time.sleep(1)
    hard.says(hard.click("Deep"), "")
    time.sleep(1)
    hard.says(hard.read(), "From the depth")
    hard.reply()


def _popup(hard: Hard) -> None:
    hard.go("/popup")
    hard.click("Open")
    hard.says(hard.read(), "Your name?")
    hard.reply(text="Ada")
    hard.go("/calm")


def _before_unload(hard: Hard) -> None:
    hard.go("/leave")
    hard.click("Edit")
    hard.says(hard.go("/calm"), "beforeunload")
    hard.reply()
    hard.says(hard.read(), "All calm")


def _loop_in_click(hard: Hard) -> None:
    hard.go("/loop-click")
    hard.click("Spin")
    hard.says(hard.script("1 + 41"), "42")


def _loop_in_frame(hard: Hard) -> None:
    hard.go("/loop-frame")
    hard.says(hard.read(), "Outside")
    hard.click("Outside")
    hard.titled("outside")


def _crash(hard: Hard) -> None:
    hard.go("/calm")
    hard.says(hard.go("chrome://crash"), "denied")
    hard.says(hard.crash(), "crash")
    hard.says(hard.go("/calm"), "All calm")


def _alert_storm(hard: Hard) -> None:
    hard.go("/storm")
    answer = hard.click("Storm")
    hard.says(answer, "Again 0")
    for _ in range(40):
        if "Again" not in answer:
            break
        hard.reply()
        answer = hard.read().partition("recent")[0]
    hard.titled("over")


def _beside(hard: Hard) -> None:
    hard.go("/beside")
    time.sleep(1)
    hard.says(hard.click("Inner"), "Inside")
    hard.says(hard.read(), "Inside")
    hard.reply()


def _between_calls(hard: Hard) -> None:
    hard.go("/later")
    hard.click("Later")
    time.sleep(1.5)
    hard.says(hard.script("1 + 1"), "Really?")
    hard.reply()
    hard.titled("yes")


def _windows(hard: Hard) -> None:
    hard.go("/windows")
    hard.click("Many")
    hard.says(hard.read(), "")


def _replaced(hard: Hard) -> None:
    hard.go("/replaced")
    hard.click("Buy")
    hard.says(hard.read(), "Buy now")


def _timer(hard: Hard) -> None:
    hard.go("/timer")
    hard.click("Tick")
    time.sleep(0.5)
    for _ in range(3):
        hard.says(hard.read(), "Tick")
        hard.reply()
    hard.close()


def _print(hard: Hard) -> None:
    hard.go("/print")
    hard.click("Print")
    hard.titled("printed")


def _download(hard: Hard) -> None:
    hard.go("/download")
    hard.click("Report")
    time.sleep(0.5)
    hard.says(hard.read(), "report")


def _reloads(hard: Hard) -> None:
    hard.go("/reload")
    hard.click("Refresh")
    hard.read()


def _grows(hard: Hard) -> None:
    hard.go("/worker")
    hard.click("Grow")
    assert len(hard.read()) < 200_000


WALKS: dict[str, Callable[[Hard], None]] = {
    "an alert from a frame in a frame of another site, while the click waits": _nested_frame,
    "a prompt in a popup": _popup,
    "beforeunload": _before_unload,
    "an endless loop in a click": _loop_in_click,
    "an endless loop in a frame of another site": _loop_in_frame,
    "a crash": _crash,
    "30 alerts": _alert_storm,
    "an alert from srcdoc beside a frame of another site": _beside,
    "a confirm between two calls": _between_calls,
    "25 windows": _windows,
    "a click that replaces its button": _replaced,
    "an alert every 50 ms": _timer,
    "window.print()": _print,
    "a download": _download,
    "a page that reloads itself all the time": _reloads,
    "15 MB of text": _grows,
}


class _Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        _, port = cast("tuple[str, int]", self.server.server_address)
        page = PAGES.get(self.path.partition("?")[0], "")
        page = page.replace("ITSELF", f"http://127.0.0.1:{port}")
        body = _HEAD + page.replace("OTHER", f"http://localhost:{port}")
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Write no log."""


@contextmanager
def _site() -> Iterator[str]:
    """Serve the pages on 127.0.0.1 and, as another site, localhost. Yield the first address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def walk_all(agent: Agent, only: str = "") -> list[str]:
    """Let an agent visit every page. Print a line per page; return the failed ones."""
    with _site() as here:
        walks = [(name, walk) for name, walk in WALKS.items() if only in name]
        return [name for name, walk in walks if not _walked(name, walk, Hard(agent, here))]


def _walked(name: str, walk: Callable[[Hard], None], hard: Hard) -> bool:
    why = ""
    try:
        walk(hard)
    except AssertionError as error:
        why = f": {error}"
    try:  # the agent can continue; a dialog may open first
        if "All calm" not in hard.go("/calm"):
            hard.reply()
            hard.says(hard.go("/calm"), "All calm")
    except AssertionError as error:
        why += f" (and can't go on: {error})"
    print(f"{'FAILED' if why else 'passed'}  {hard.slowest:4.1f} s  {name}{why}", flush=True)
    return not why
