"""Converts tests' selectors to criteria for ``find``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from judges.playwright_shim.outside import outside

_ENGINE = re.compile(r"^([a-zA-Z_:*-]+)=(.*)$", re.DOTALL)
_OWN = re.compile(
    r">>|:has-text\(|:text\(|:text-is\(|:text-matches\(|:visible\b|:nth-match\(|:light\(|"
    r":above\(|:below\(|:near\(|:left-of\(|:right-of\("
)


class Selector(NamedTuple):
    """Criteria for ``find``, and the index of the element."""

    criteria: Mapping[str, Any]
    strict: bool = False
    nth: int | None = None
    source: str = ""

    def __str__(self) -> str:
        return self.source

    @property
    def direct(self) -> str:
        """The selector as an action's ``ref``; "" if actions don't accept it."""
        if self.nth is not None:
            return ""
        for by in ("css", "xpath"):
            if by in self.criteria:
                return f"{by}={self.criteria[by]}"
        return ""

    def chosen(self, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if self.nth is None:
            return found
        return found[self.nth :][:1] if self.nth >= 0 else found[self.nth :]


def parsed(selector: str, strict: bool | None = False) -> Selector:  # noqa: RET503
    """Convert a test's selector, if ``find`` supports it."""
    text = selector.strip()
    if _OWN.search(text):
        outside("selectors", selector)
    strict = bool(strict)
    engine = _ENGINE.match(text)
    if text.startswith(("//", "..", "(//")):
        return Selector({"xpath": text}, strict, source=selector)
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return Selector({"text": text[1:-1]}, strict, source=selector)
    if engine is None or not re.match(r"^[a-z_:-]+=", text):
        return Selector({"css": text}, strict, source=selector)
    name, rest = engine.groups()
    if name == "css":
        return Selector({"css": rest}, strict, source=selector)
    if name == "xpath":
        return Selector({"xpath": rest}, strict, source=selector)
    if name == "text":
        if rest[:1] == "/":
            outside("selectors", selector)
        exact = rest[:1] in ("'", '"') and rest[:1] == rest[-1:]
        return Selector({"text": rest[1:-1] if exact else rest}, strict, source=selector)
    if name == "role" and re.fullmatch(r"[a-z]+", rest):
        return Selector({"role": rest}, strict, source=selector)
    if name in ("id", "data-testid", "data-test-id", "data-test"):
        return Selector({"css": f'[{name}="{rest}"]'}, strict, source=selector)
    outside("selectors", selector)


def role_selector(role: str, filters: Mapping[str, Any]) -> Selector:
    criteria: dict[str, Any] = {"role": role}
    for field, value in filters.items():
        if field == "name" and isinstance(value, str):
            criteria["name"] = value
        elif value is not None and not (field == "exact" and not value):
            outside("selectors", f"get_by_role({field}=)")
    return Selector(criteria, strict=True, source=f"role={role}")
