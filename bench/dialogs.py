"""What dialogs cost: how soon one is seen and answered, and what the debugger costs page loads.

    python bench/dialogs.py [--json FILE] [--dialogs 100] [--loads 25]

- *seen*: from the page's call (``performance.timeOrigin + now()`` read in the page right before it)
  to the dialog standing in the supervisor's frozen state (its observers called).
- *answered*: from calling ``browser.dialog`` (sync, on another thread than the engine) to the
  page's next line.
- *loads*: from the start of the navigation to the load event, as the page tells it; one browser for
  each bridge, their loads interleaved. *new*: scripts that the browser never saw; *again*: the same
  as before, which V8 still has compiled unless a debugger made it forget. The pages' server is this
  process and counts for all alike.

Page and Python read the same clock, the page in steps of 0.1 ms; their offset is measured.
``TABWARDEN_BROWSER__EXECUTABLE`` names another browser.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import socket
import statistics
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, get_args

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.site import Site

from tabwarden.browser import registry
from tabwarden.config import BrowserConfig, load_config
from tabwarden.supervisor.notices import DialogOpened
from tabwarden.sync import Browser

TARGET_MS = 5.0
CHANNELS = ("native", "debugger", "xhr")
MODES = ("native", "debugger", "auto")
KNOWN = get_args(BrowserConfig.model_fields["dialog_bridge"].annotation)
NOW = "performance.timeOrigin + performance.now()"
ASK = f"""<script>
const now = () => {NOW};
const ask = () => {{ const value = prompt(String(now())); window.went = {{ at: now(), value }}; }};
</script>"""


def launched(bridge: Any) -> Browser:
    return Browser.launch(config=load_config(dialog_bridge=bridge).browser)


def summary(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median": statistics.median(ordered),
        "p95": ordered[max(0, round(len(ordered) * 0.95) - 1)],
        "max": ordered[-1],
        "count": len(ordered),
    }


# -- dialogs -------------------------------------------------------------------------------------


class Seen:
    """When dialogs came into the state, told on the engine's thread."""

    def __init__(self, browser: Browser) -> None:
        supervisor = registry.get(browser.task_id)
        assert supervisor is not None
        self._told = threading.Event()
        self.at_ms = 0.0
        self.message = ""
        self.channel = ""
        self._end = supervisor.observe(self._observe)

    def _observe(self, notices: tuple[Any, ...], _: object) -> None:
        for notice in notices:
            if isinstance(notice, DialogOpened):
                self.at_ms = time.time() * 1000
                self.message, self.channel = notice.dialog.message, notice.dialog.channel
                self._told.set()

    def wait(self) -> None:
        assert self._told.wait(10), "no dialog came"
        self._told.clear()

    def end(self) -> None:
        self._end()


def clock_offset_ms(browser: Browser) -> float:
    """How far the page's clock is ahead of ours: the middle of the quickest of some readings."""
    readings = []
    for _ in range(50):
        before = time.time() * 1000
        told = browser.evaluate(NOW).value
        after = time.time() * 1000
        readings.append((after - before, told - (before + after) / 2))
    return float(min(readings)[1])


def measure_channel(channel: str, count: int, site: Site) -> dict[str, Any]:
    with launched(channel) as browser:
        browser.goto(site.page("/ask", ASK))
        offset = clock_offset_ms(browser)
        seen = Seen(browser)
        opened, answered = [], []
        for number in range(-5, count):  # the first few warm up
            browser.evaluate("setTimeout(ask, 0); 0")
            seen.wait()
            assert seen.channel == channel, seen.channel
            given = time.time() * 1000
            browser.dialog("accept", str(number))
            went = browser.evaluate("went").value
            assert went["value"] == str(number)
            if number >= 0:
                opened.append(seen.at_ms - (float(seen.message) - offset))
                answered.append(went["at"] - offset - given)
        seen.end()
    return {"seen": summary(opened), "answered": summary(answered), "clock_offset_ms": offset}


# -- page loads ----------------------------------------------------------------------------------


Respond = Callable[[BaseHTTPRequestHandler], None]


def inline_scripts(visit: str) -> str:
    """400 small scripts in the page itself."""
    body = "(() => {{ const f = (x) => x * {0} + {0}; window.v{0} = f({0}); {1} }})()"
    pad = f"/* {visit} */" + "/* pad */" * 20
    return "".join(f"<script>{body.format(n, pad)}</script>" for n in range(400))


def library(number: int) -> str:
    """A script of some 40 kB: 200 functions, a third of them called."""
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
    """A path whose text depends on its query: which visit it is."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        body = text_of(handler.path.partition("?")[2]).encode()
        # Head and body go out in two writes: the second must not wait for an acknowledgement.
        handler.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Cache-Control", "max-age=9999")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def serve_pages(site: Site) -> dict[str, str]:
    """The pages by what they are."""

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


def measure_loads(count: int, site: Site) -> dict[str, Any]:
    """Each page at its first visit (its scripts never seen before), and again and again."""
    pages = serve_pages(site)
    modes = [mode for mode in MODES if mode in KNOWN]
    browsers = {mode: launched(mode) for mode in modes}
    times: dict[str, dict[str, list[float]]] = {}
    try:
        for turn in range(count + 2):  # the first two warm up and fill caches
            order = modes[turn % len(modes) :] + modes[: turn % len(modes)]
            for page, url in pages.items():
                for kind, visit in (("new", f"visit{turn}"), ("again", "always")):
                    row = times.setdefault(f"{page}, {kind}", {mode: [] for mode in modes})
                    for mode in order:
                        browsers[mode].goto(f"{url}?{visit}")
                        load = "performance.getEntriesByType('navigation')[0].loadEventStart"
                        took = browsers[mode].evaluate(load).value
                        if turn >= 2:
                            row[mode].append(took)
    finally:
        for browser in browsers.values():
            browser.close()
    return {page: {m: summary(t) for m, t in by_mode.items()} for page, by_mode in times.items()}


# -- telling -------------------------------------------------------------------------------------


def machine() -> dict[str, Any]:
    with launched("native") as browser:
        product = browser.cdp("Browser.getVersion").value["product"]
    names = (
        [
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ]
        if Path("/proc/cpuinfo").exists()
        else []
    )
    return {
        "browser": product,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cpus": os.cpu_count(),
        "cpu": names[0] if names else platform.processor(),
        "load_before": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def tell(result: dict[str, Any]) -> None:
    where = result["machine"]
    print(f"{where['browser']}, headless, over the pipe; Python {where['python']}")
    print(f"{where['cpus']} x {where['cpu']}, {where['system']}; load {where['load_before']}\n")
    print(f"{'dialogs, ms':<22}{'median':>9}{'p95':>9}{'max':>9}{'count':>7}")
    for channel, measured in result["dialogs"].items():
        for what in ("seen", "answered"):
            row = measured[what]
            verdict = "" if row["median"] < TARGET_MS else f"  above the target of {TARGET_MS} ms"
            print(
                f"{f'{channel}, {what}':<22}{row['median']:>9.2f}{row['p95']:>9.2f}"
                f"{row['max']:>9.2f}{row['count']:>7}{verdict}"
            )
    print(f"\n{'page loads, ms':<42}{'median':>9}{'p95':>9}{'count':>7}{'to native':>11}")
    for page, by_mode in result["loads"].items():
        base = by_mode["native"]["median"]
        for mode, row in by_mode.items():
            print(
                f"{f'{page}, {mode}':<42}{row['median']:>9.1f}{row['p95']:>9.1f}"
                f"{row['count']:>7}{row['median'] / base:>10.2f}x"
            )
    print("\nseen: the page's call -> in the frozen state.")
    print("answered: browser.dialog called -> the page's next line.")
    print("page loads: start of the navigation -> load event, as the page tells it; interleaved.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    parser.add_argument("--dialogs", type=int, default=100, help="for each channel")
    parser.add_argument("--loads", type=int, default=25, help="for each page and bridge")
    asked = parser.parse_args()
    result: dict[str, Any] = {"machine": machine()}
    with Site() as site:
        channels = [channel for channel in CHANNELS if channel in KNOWN]
        result["dialogs"] = {c: measure_channel(c, asked.dialogs, site) for c in channels}
        result["loads"] = measure_loads(asked.loads, site)
    tell(result)
    if asked.json is not None:
        asked.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
