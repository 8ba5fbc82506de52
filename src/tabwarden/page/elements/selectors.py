"""Selectors: ways to identify an element without a ref.

``css=form .error`` and ``xpath=//button`` select by the document's structure. The other kinds match
as Playwright's locators do with ``exact``: ``role=button[name="Buy"]``, ``label="Card number"``,
``placeholder="Search"``, ``text="Terms"``, ``testid="buy"``. The CSS selectors of the iframes
around the element may come first: ``iframe[title="Payment"] >> role=button[name="Pay"]``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tabwarden.page.elements.find import Query

_BY = re.compile(
    r"\s*(css|xpath|role|label|placeholder|text|testid)\s*=\s*(.*\S)\s*\Z", re.I | re.S
)
_ROLE = re.compile(r"([a-z]+)\s*(?:\[\s*name\s*=\s*(\".*\")\s*\])?\Z", re.S)
_INTO = re.compile(r""" >> |"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\.""", re.S)


def parse_selector(selector: str) -> Query | None:
    """Return the query for a selector, or None if the text is not a selector."""
    *frames, own = _parts(selector)
    parsed = _BY.match(own)
    if parsed is None:
        return None
    by, text = parsed[1].lower(), parsed[2]
    around = tuple(one.strip().removeprefix("css=") for one in frames)
    if by == "css":
        return Query(by=by, css=text, frames=around)
    if by == "xpath":
        return Query(by=by, xpath=text, frames=around)
    locator = _locator(by, text)
    return None if locator is None else Query(by="locator", locator=locator, frames=around)


def is_selector(selector: str) -> bool:
    return parse_selector(selector) is not None


def selector_of(locator: Mapping[str, Any], frames: Sequence[str] = ()) -> str:
    """Convert a recorded locator to a selector."""
    by = locator["by"]
    if by == "css":
        own = f"css={locator['css']}"
    elif by == "role":
        name = locator.get("name")
        own = f"role={locator['role']}" + (f"[name={_quote(name)}]" if name else "")
    else:
        own = f"{by.replace('_', '')}={_quote(locator['text'])}"
    return " >> ".join((*frames, own))


def _locator(by: str, text: str) -> dict[str, Any] | None:
    if by == "role":
        parsed = _ROLE.match(text)
        if parsed is None:
            return None
        name = _unquote(parsed[2]) if parsed[2] else None
        return {"by": "role", "role": parsed[1], **({"name": name} if name else {})}
    return {"by": "test_id" if by == "testid" else by, "text": _unquote(text)}


def _parts(selector: str) -> Iterator[str]:
    """Split a selector at each ``>>`` that is not in quotation marks."""
    begin = 0
    for match in _INTO.finditer(selector):
        if match[0] == " >> ":
            yield selector[begin : match.start()]
            begin = match.end()
    yield selector[begin:]


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _unquote(text: str) -> str:
    try:
        read = json.loads(text)
    except ValueError:
        return text
    return read if isinstance(read, str) else text
