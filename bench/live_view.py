"""Measures the live view: pictures per second, from page to screen, and what it costs the agent.

``python -m bench.live_view`` prints a table. It starts an agent's browser, the live view, and
viewers' browsers; one of the viewers reads through a slow line.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from support.site import Site
from support.watching import Agents, RawViewer, Watched, open_view

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
PICTURE = "document.querySelector('.stage canvas').dataset"


def rate(viewer: Browser) -> float:
    """Pictures per second on the screen."""
    before = int(viewer.evaluate(f"{PICTURE}.number ?? 0").value)
    time.sleep(FOR_S)
    return (int(viewer.evaluate(f"{PICTURE}.number ?? 0").value) - before) / FOR_S


def call_ms(agents: Agents) -> float:
    """The median time of an agent's script, in milliseconds."""
    took = []
    for _ in range(200):
        began = time.perf_counter()
        agents.call(agents.browser.evaluate("1"))
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
        slow = RawViewer(watched)  # it never tells the server that it has seen a picture
        slow.send({"type": "watch", "task": name, "pictures": "large"})
        told("an agent's script, one viewer and a stuck one", call_ms(agents), "ms", bool)
        told("pictures for the other viewer meanwhile", rate(viewer), "/s", lambda x: x >= 10)
        slow.close()
        agents.call(agents.browser.goto(site.page("/still", "still")))
        time.sleep(1.5)
        told("pictures of a still page", rate(viewer), "/s", lambda x: x == 0)
    agents.close()


if __name__ == "__main__":
    main()
