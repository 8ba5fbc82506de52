"""Finds elements on MiniWoB++ that Chromium considers clickable, without a ref in or around them.

    python -m bench.missing_refs FOLDER [--tasks NAME ...] [--seeds 2] [--texts FOLDER]

FOLDER is ``miniwob/html`` of the PyPI package ``miniwob``. Chromium calls an element clickable if
``DOMSnapshot`` says ``isClickable``, or if it has a click listener. Only the innermost drawn ones
count: an element around a control or another clickable element only passes clicks on. ``--texts``
writes the snapshots there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tabwarden.sync import Browser

START = """Math.seedrandom(%d); core.EPISODE_MAX_TIME = 1e6; core.startEpisodeReal();
document.body.append(Object.assign(document.createElement("style"), {
  textContent: "#reward-display, #click-canvas, #sync-task-cover { display: none !important }",
}))"""
SEED = 7_001
TINY = 3  # pixels; the outline leaves out smaller ones
CLICKS = frozenset(("click", "mousedown", "mouseup", "pointerdown", "pointerup", "dblclick"))
# A click on one of these is a click on the page, or on another control.
NOT_CONTROLS = frozenset(("HTML", "BODY", "LABEL", "OPTION", "OPTGROUP", "#document"))


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


def listening(browser: Browser) -> set[int]:
    """Return the backend ids of all elements with a click listener."""
    found = browser.cdp("Runtime.evaluate", {"expression": "document"}).value["result"]
    asking = {"objectId": found["objectId"], "depth": -1, "pierce": True}
    told = browser.cdp("DOMDebugger.getEventListeners", asking).value["listeners"]
    return {one["backendNodeId"] for one in told if one["type"] in CLICKS}


def missing(browser: Browser, referred: set[int]) -> Iterator[str]:
    """Yield each clickable element of the top document without a ref in or around it."""
    asking = {"computedStyles": ["visibility", "pointer-events"], "includePaintOrder": False}
    told = browser.cdp("DOMSnapshot.captureSnapshot", asking).value
    document, strings = told["documents"][0], told["strings"]
    nodes, layout = document["nodes"], document["layout"]
    ids, parents, names = nodes["backendNodeId"], nodes["parentIndex"], nodes["nodeName"]
    heard = listening(browser)
    clickable = {at for at, one in enumerate(ids) if one in heard}
    clickable |= set(nodes["isClickable"]["index"])
    drawn = {
        at
        for at, bounds, styles in zip(
            layout["nodeIndex"], layout["bounds"], layout["styles"], strict=True
        )
        if min(bounds[2:]) >= TINY
        and styles
        and strings[styles[0]] == "visible"
        and strings[styles[1]] != "none"
    }
    around: set[int] = set()
    for at, one in enumerate(ids):
        if one in referred or (at in clickable and at in drawn):
            above = parents[at]
            while above >= 0 and above not in around:
                around.add(above)
                above = parents[above]
    for at in sorted(clickable & drawn - around):
        if strings[names[at]] in NOT_CONTROLS:
            continue
        path, above = [], at
        while above >= 0 and ids[above] not in referred:
            path.append(above)
            above = parents[above]
        if above < 0:
            pairs = nodes["attributes"][at]
            said = {strings[k]: strings[v] for k, v in zip(pairs[::2], pairs[1::2], strict=True)}
            yield f"<{strings[names[at]].lower()} {json.dumps(said)[:120]}>"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tasks", nargs="+", default=())
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--texts", type=Path)
    asked = parser.parse_args()
    names = asked.tasks or sorted(path.stem for path in (asked.folder / "miniwob").glob("*.html"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=asked.folder))
    Thread(target=server.serve_forever, daemon=True).start()
    lacking, chars = 0, 0
    with Browser.launch() as browser:
        for name in names:
            found: list[str] = []
            for seed in range(SEED, SEED + asked.seeds):
                browser.goto(f"http://127.0.0.1:{server.server_address[1]}/miniwob/{name}.html")
                browser.evaluate(START % seed)
                snapshot: Any = browser.snapshot(refs="full")
                chars += len(snapshot.text)
                if asked.texts:
                    (asked.texts / f"{name}-{seed}.txt").write_text(snapshot.text, "utf-8")
                ids = {one["backendDOMNodeId"] for one in snapshot.refs.values()}
                found += missing(browser, ids)
            lacking += bool(found)
            for one in dict.fromkeys(found):
                print(f"{name}: {one}", flush=True)
    server.shutdown()
    print(f"{lacking} of {len(names)} tasks lack a ref; {chars} characters of snapshots")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
