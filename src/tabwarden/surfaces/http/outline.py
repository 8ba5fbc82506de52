"""An outline in the forms that OpenClaw's clients know: nodes, [new] marks, counts."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any
from weakref import WeakKeyDictionary

from tabwarden.browser import Browser
from tabwarden.page import Snapshot

_LINE = re.compile(r'^( *)- ([\w-]+)(?: "((?:[^"\\]|\\.)*)")?(.*)$')
_REF = re.compile(r"\[ref=(e\d+)\]")


def nodes_of(read: Snapshot, limit: int | None) -> list[dict[str, Any]]:
    """Return the outline's lines as nodes: ref (if any), role, name, depth, backendDOMNodeId."""
    nodes: list[dict[str, Any]] = []
    for line in read.text.splitlines():
        found = _LINE.match(line)
        if found is None:
            continue
        indent, role, name, rest = found.groups()
        node: dict[str, Any] = {"role": role, "name": name or "", "depth": len(indent) // 2}
        marked = _REF.search(rest)
        if marked is not None and marked[1] in read.refs:
            known = read.refs[marked[1]]
            node |= {"ref": marked[1], "role": known["role"], "name": known["name"]}
            if known.get("backendDOMNodeId"):
                node["backendDOMNodeId"] = known["backendDOMNodeId"]
        nodes.append(node)
    return nodes[:limit]


def stats_of(read: Snapshot) -> dict[str, int]:
    """Return how long the outline is, and how many refs it has. Only controls have refs."""
    refs = len(read.refs)
    lines = read.text.count("\n") + 1
    return {"lines": lines, "chars": len(read.text), "refs": refs, "interactive": refs}


def with_marks(text: str, refs: Collection[str]) -> str:
    """Write ``[new]`` after each of these refs."""
    return _REF.sub(lambda found: f"{found[0]} [new]" if found[1] in refs else found[0], text)


class SeenRefs:
    """The refs in the last snapshot of each tab."""

    def __init__(self) -> None:
        self._seen: WeakKeyDictionary[Browser, dict[str, frozenset[str]]] = WeakKeyDictionary()

    def fresh(self, browser: Browser, read: Snapshot) -> frozenset[str] | None:
        """Return the refs that the tab's last snapshot did not have.

        None: this is the first snapshot of its document.
        """
        tabs = self._seen.setdefault(browser, {})
        before, now = tabs.get(read.tab_id, frozenset()), frozenset(read.refs)
        tabs[read.tab_id] = now
        # A ref is never used again, so another document has none of the last one's refs.
        return now - before if now & before else None
