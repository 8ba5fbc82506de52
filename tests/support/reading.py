"""Helpers that read snapshots."""

from __future__ import annotations

import re

from tabwarden import Snapshot
from tabwarden.page.walker.walk_records import Node, decode
from tabwarden.supervisor.core.state.tabs import WORLD_NAME
from tabwarden.sync import Browser

__all__ = ["body", "ref_of", "walked"]


def body(text: str) -> list[str]:
    """The lines between the page's markers."""
    found = re.search(r"<page \w+>\n(.*)\n</page \w+>", text, re.DOTALL)
    return found[1].splitlines() if found is not None else []


def walked(browser: Browser) -> list[Node]:
    """The top document's walk, before it is rendered to text."""
    browser.snapshot()  # the walker is loaded by then
    frame = browser.cdp("Page.getFrameTree").value["frameTree"]["frame"]["id"]
    world = browser.cdp("Page.createIsolatedWorld", {"frameId": frame, "worldName": WORLD_NAME})
    told = browser.cdp(
        "Runtime.evaluate",
        {
            "expression": "__tabwarden.snapshot(false)",
            "contextId": world.value["executionContextId"],
            "returnByValue": True,
        },
    )
    found = decode(told.value["result"]["value"])
    nodes = list(found.nodes)
    return nodes if found.layers is None else nodes[: found.layers.behind]


def ref_of(snapshot: Snapshot, words: str) -> str:
    """The ref in the snapshot line that contains these words."""
    for line in snapshot.text.splitlines():
        if words in line and (found := re.search(r"\[ref=(e\d+)\]", line)):
            return found[1]
    raise AssertionError(f"no ref for {words!r} in:\n{snapshot.text}")
