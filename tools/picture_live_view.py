"""Make the screenshot in docs/live.md: ``PYTHONPATH=tests uv run python
tools/picture_live_view.py``.

Opens a few agents' browsers on its own pages and a live view of them, and takes a screenshot.
"""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

from support.eventually import eventually
from support.running import running_chromium
from support.site import Site
from support.watching import Agents, Watched, open_view

from tabwarden.browser import Browser
from tabwarden.sync import Browser as SyncBrowser

PICTURE = Path(__file__).parents[1] / "docs" / "live.png"
_STYLE = """<style>
  body { font: 16px system-ui, sans-serif; margin: 0; background: #faf7f2 }
  header { background: #22354a; color: #fff; padding: 18px 30px; font-size: 22px }
  main { padding: 30px; display: grid; grid-template-columns: repeat(3, 1fr); gap: 20px }
  article { background: #fff; border: 1px solid #ddd; border-radius: 10px; padding: 20px }
  button { padding: 8px 14px; border-radius: 8px; border: 0; background: #b8431f; color: #fff }
</style>"""
_GOODS = {"Teapot": 24, "Lamp": 59, "Clock": 31, "Chair": 120, "Rug": 89, "Vase": 17}
_SHOP = f"{_STYLE}<header>Corner Shop</header><main>" + "".join(
    f"<article><h3>{name}</h3><p>€{price}</p><button>Buy {name}</button></article>"
    for name, price in _GOODS.items()
)
_NEWS = f"""{_STYLE}<header>Quiet keyboards, tested</header><main>
  <article><h3>Best overall</h3><p>Low keys and a soft touch.</p></article>
  <article><h3>Best small one</h3><p>Fits into any bag.</p></article>
  <article><h3>Best for two</h3><p>Switches between computers.</p></article></main>"""
_DRAFT = f"""{_STYLE}<header>Newsletter</header><main><article>
  <h3>Spring sale</h3><p>Draft of today</p>
  <button onclick="confirm('Delete the draft “Spring sale”?')">Delete</button></article></main>"""


def main() -> None:
    agents = Agents()
    launched = [agents.call(_launched()) for _ in range(2)]
    tasks = {"buyer": agents.browser, "newsletter": launched[0], "research": launched[1]}
    pages = {"buyer": ("Corner Shop", _SHOP), "newsletter": ("Newsletter", _DRAFT)}
    pages["research"] = ("Quiet keyboards, tested", _NEWS)
    with (
        Site() as site,
        Watched(agents, tasks) as watched,
        TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder,
        # A browser that Tabwarden launches can't open Tabwarden's own servers.
        running_chromium(Path(folder)) as port,
        SyncBrowser.connect(f"http://127.0.0.1:{port}") as viewer,
    ):
        for name, browser in tasks.items():
            title, body = pages[name]
            agents.call(browser.goto(site.page(f"/{name}", body, title=title)))
            page = agents.call(browser.snapshot())
            if name == "newsletter":
                agents.call(browser.click(page.ref("Delete")))
        viewer.resize(1280, 800)
        open_view(viewer, watched.link())
        eventually(lambda: "3 open" in str(viewer.evaluate("document.body.innerText").value))
        waits = agents.begin(tasks["buyer"].wait(text="Thank you", timeout_ms=20_000))
        time.sleep(3)  # long enough for all screenshots, and for realistic times
        PICTURE.write_bytes(viewer.screenshot().data)
        waits.cancel()
    for browser in launched:
        agents.call(browser.close())
    agents.close()
    print(f"wrote {PICTURE} ({PICTURE.stat().st_size // 1000} kB)")


async def _launched() -> Browser:
    return await Browser.launch()


if __name__ == "__main__":
    main()
