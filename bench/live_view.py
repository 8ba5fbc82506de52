"""Measures the live view: frames per second, delay from page to screen, and its cost for the agent.

``python -m bench.live_view`` prints a table. It starts an agent's browser, the live view, and
viewers' browsers. Then ten agents with busy pages in one browser have three viewers of the
overview: a browser, a program, and a program on a slow line.
"""

from __future__ import annotations

import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from support.running import running_chromium
from support.site import Site
from support.watching import Agents, RawViewer, Watched, open_view

from tabwarden import Browser as AsyncBrowser
from tabwarden.sync import Browser

BUSY = """<canvas id=c width=1200 height=640></canvas><p id=p></p><script>
let n = 0;
const x = c.getContext('2d');
(function draw() {
  x.fillStyle = `hsl(${n % 360}, 70%, 50%)`;
  x.fillRect((n++ * 7) % 1200, (n * 3) % 640, 80, 60);
  requestAnimationFrame(draw);
})();
</script>"""
FOR_S = 5.0
AGENTS = 10
SLOW = 50_000
"""The bytes per second of a slow connection."""
PICTURE = "document.querySelector('.stage canvas').dataset"


def rate(viewer: Browser) -> float:
    """Return the frames per second on the screen."""
    before = int(viewer.evaluate(f"{PICTURE}.number ?? 0").value)
    time.sleep(FOR_S)
    return (int(viewer.evaluate(f"{PICTURE}.number ?? 0").value) - before) / FOR_S


def call_ms(agents: Agents, tasks: Mapping[str, AsyncBrowser] | None = None) -> float:
    """Return the median time of an agent's script in milliseconds, over all agents in turn."""
    took = []
    browsers = list(tasks.values()) if tasks else [agents.browser]
    for number in range(200):
        browser = browsers[number % len(browsers)]
        began = time.perf_counter()
        agents.call(browser.evaluate("1"))
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


def told(what: str, value: float, unit: str, is_good: Callable[[float], bool]) -> None:
    print(f"{what:58} {value:8.1f} {unit:4} {'' if is_good(value) else 'MISSED'}")


def main() -> None:
    agents = Agents()
    with Site() as site, Watched(agents) as watched, Browser.launch() as viewer:
        agents.call(agents.browser.goto(site.page("/busy", BUSY)))
        alone = call_ms(agents)
        told("an agent's script on a busy page, nobody watches", alone, "ms", bool)
        open_view(viewer, watched.link(task="agent"))
        time.sleep(2)
        told("pictures of a busy page on the screen", rate(viewer), "/s", lambda x: x >= 10)
        lag = float(viewer.evaluate(f"{PICTURE}.lag").value)
        told("from the page to the screen, median", lag, "ms", lambda x: x <= 150)
        told("an agent's script, one viewer", call_ms(agents), "ms", bool)
        name = f"{watched.live.id}.agent"
        slow = RawViewer(watched)  # it never acknowledges a frame
        slow.send({"type": "watch", "task": name, "pictures": "large"})
        told("an agent's script, one viewer and a stuck one", call_ms(agents), "ms", bool)
        told("pictures for the other viewer meanwhile", rate(viewer), "/s", lambda x: x >= 10)
        slow.close()
        agents.call(agents.browser.goto(site.page("/still", "still")))
        time.sleep(1.5)
        told("pictures of a still page", rate(viewer), "/s", lambda x: x == 0)
    agents.close()
    many()


def many() -> None:
    """Measure three viewers of ten agents."""
    agents = Agents()
    with (
        Site() as site,
        tempfile.TemporaryDirectory() as folder,
        running_chromium(Path(folder)) as port,
        Browser.launch() as viewer,
    ):
        busy = site.page("/busy", BUSY)
        tasks = {f"agent-{n}": agents.call(_agent(port, busy)) for n in range(AGENTS)}
        with Watched(agents, tasks) as watched:
            told("ten agents: a script, nobody watches", call_ms(agents, tasks), "ms", bool)
            open_view(viewer, watched.link())
            quick, slow = RawViewer(watched), RawViewer(watched)
            for one in (quick, slow):
                for name in tasks:
                    full = f"{watched.live.id}.{name}"
                    one.send({"type": "watch", "task": full, "pictures": "small"})
            done = threading.Event()
            reading = [
                threading.Thread(target=read, args=(one, bytes_per_s, done))
                for one, bytes_per_s in ((quick, None), (slow, SLOW))
            ]
            for thread in reading:
                thread.start()
            time.sleep(2)
            took = call_ms(agents, tasks)
            told("ten agents: a script, three viewers", took, "ms", bool)
            done.set()
            for thread in reading:
                thread.join()
            quick.close()
            slow.close()
        for browser in tasks.values():
            agents.call(browser.close())
    agents.close()


async def _agent(port: int, url: str) -> AsyncBrowser:
    browser = await AsyncBrowser.connect(f"http://127.0.0.1:{port}", context="own")
    await browser.goto(url)
    return browser


def read(viewer: RawViewer, bytes_per_s: int | None, done: threading.Event) -> None:
    """Read and acknowledge frames at this rate."""
    while not done.is_set():
        about = viewer.until(lambda told: told["type"] == "picture")
        if bytes_per_s:
            time.sleep(viewer.last_size / bytes_per_s)
        viewer.send({"type": "seen", "task": about["task"]})


if __name__ == "__main__":
    main()
