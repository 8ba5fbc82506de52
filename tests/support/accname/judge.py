"""The judge: what the walker says of elements, beside what Chromium's accessibility tree says.

The elements are those with a ``data-n``. The walker is asked in a world of its own, through the
module ``judged.js``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from support.walker_world import WalkerWorld
from tabwarden.sync import Browser

__all__ = ["Told", "ask", "by_chromium", "by_walker", "outlined"]

_ASKING = Path(__file__).with_name("judged.js").read_text("utf-8")


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """One side's facts about an element."""

    role: str = ""
    name: str = ""
    description: str = ""
    states: dict[str, Any] = {}


def by_walker(browser: Browser, *, walking: bool = False) -> dict[str, Told]:
    """Compute every marked element by itself; ``walking``: as in a whole walk."""
    question = "judgedHere(true)" if walking else "judgedHere(false)"
    return {n: msgspec.convert(told, Told) for n, told in ask(browser, question).items()}


def outlined(browser: Browser) -> dict[str, Told]:
    """The marked elements with an ID in the outline: those that an agent can act on."""
    return {n: msgspec.convert(told, Told) for n, told in ask(browser, "outlined()").items()}


def by_chromium(browser: Browser) -> dict[str, Told]:
    """Every marked element in the accessibility tree."""
    numbers: dict[int, str] = {}

    def number(node: Any) -> None:
        attributes = node.get("attributes", [])
        marked = dict(zip(attributes[::2], attributes[1::2], strict=True)).get("data-n")
        if marked is not None:
            numbers[node["backendNodeId"]] = marked
        for child in [*node.get("children", ()), *node.get("shadowRoots", ())]:
            number(child)

    number(browser.cdp("DOM.getDocument", {"depth": -1, "pierce": True}).value["root"])
    found: dict[str, Told] = {}
    for node in browser.cdp("Accessibility.getFullAXTree").value["nodes"]:
        n = numbers.get(node.get("backendDOMNodeId", 0))
        if n is not None and n not in found and not node.get("ignored"):
            found[n] = Told(
                role=_value(node, "role"),
                name=" ".join(_value(node, "name").split()),
                description=" ".join(_value(node, "description").split()),
                states={
                    **{one["name"]: one["value"].get("value") for one in node["properties"]},
                    **({"value": node["value"]["value"]} if "value" in node else {}),
                },
            )
    return found


def _value(node: Any, key: str) -> str:
    return str(node.get(key, {}).get("value", ""))


def ask(browser: Browser, question: str) -> Any:
    """The value of an expression among the functions of ``judged.js``, in a new world."""
    return WalkerWorld(browser, own=_ASKING).run(question)
