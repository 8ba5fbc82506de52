"""One call of a member: it runs actions of the registry, and returns what the model reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from tabwarden.actions import Answer, Session, dispatch
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.page import Screenshot

_OUR_REF = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|\[ref=e(\d{1,9})\b|\be(\d{1,9})\b')
"""A ref in a text of ours. Text of the page is in double quotes, which the first part skips."""
_SNAPSHOT = re.compile(r"([Tt])ake a (?:new )?snapshot\b")
_PATHS = ("Trace: ", " in the upload folder /", "Only files in ")
"""Where the ends of errors and hints begin that name paths of this machine."""
_DOWNLOAD = "new: download"
_UNREAD = ("unknown_ref", "stale_ref")
_NOTHING = "nothing"


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a member returns."""

    text: str = ""
    """What a read returns; after an action, one line about its effects, or ""."""
    data: dict[str, Any] = {}
    """The member's result for programs."""
    picture: Screenshot | None = None


class Failed(Exception):
    """An action of a member failed.

    Attributes:
        answer: the action's error, with the texts of the vendor's toolset.
    """

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.text)
        self.answer = answer


class MemberCall:
    """One call of a member.

    Args:
        session: the session on which the actions run.
        config: permissions and settings of this call.
        budget: the time limit of the whole call.
        tab_id: the tab that the call names; None for the active tab.
        ref_prefix: what the vendor's refs begin with, such as ``ref_``.
        read, find: the vendor's tools that read the page and find elements.
        serves_driver: whether a driver makes the call. Then the program has checked the paths of
            files, and the SDK decides whether the model may read the path of a download.
        scales: the pixels per CSS pixel of each tab's last screenshot, if not 1.
    """

    def __init__(
        self,
        session: Session,
        config: BrowserConfig,
        budget: Budget,
        *,
        tab_id: str | None = None,
        ref_prefix: str = "e",
        read: str = "",
        find: str = "",
        serves_driver: bool = False,
        scales: dict[str | None, float] | None = None,
    ) -> None:
        self.session, self.config, self.budget = session, config, budget
        self.tab_id = tab_id or None
        self.serves_driver = serves_driver
        self._scales = {} if scales is None else scales
        self._ref_prefix, self._read, self._find = ref_prefix, read, find

    async def do(self, tool: str, **arguments: Any) -> Answer:
        """Run an action of the registry in the call's tab.

        Args:
            tool: the registry's tool, without ``browser_``.
            arguments: the arguments. Those that are None are omitted. ``timeout_ms`` limits only
                this action.

        Raises:
            Failed: the action failed.
        """
        named = {name: value for name, value in arguments.items() if value is not None}
        limit_ms = named.pop("timeout_ms", None)
        budget = self.budget if limit_ms is None else self.budget.child(at_most_ms=limit_ms)
        if self.tab_id is not None:
            named.setdefault("tab_id", self.tab_id)
        answer = await dispatch(self.session, self.config, f"browser_{tool}", named, budget=budget)
        if answer.is_error:
            raise Failed(self.failure(answer))
        if self.serves_driver and _DOWNLOAD in answer.text:
            page, end, rest = answer.text.rpartition("\n</page ")
            lines = [line for line in rest.split("\n") if not line.startswith(_DOWNLOAD)]
            answer = msgspec.structs.replace(answer, text=page + end + "\n".join(lines))
        return answer

    async def act(self, tool: str, **arguments: Any) -> Outcome:
        """Run an action, and return one line about its effects."""
        answer = await self.do(tool, **arguments)
        by = answer.data.get("by") or {}
        is_dismissed = by.get("dialog", {}).get("accepted") is False
        data = {"dismissed": True} if is_dismissed else {}
        return Outcome(text=self.line_of(answer), data=data)

    @property
    def scale(self) -> float:
        """The pixels per CSS pixel of the tab's last screenshot."""
        return self._scales.get(self._tab, 1.0)

    @scale.setter
    def scale(self, scale: float) -> None:
        self._scales[self._tab] = scale

    @property
    def _tab(self) -> str | None:
        browser = self.session.current
        active = None if browser is None else browser.state.active_tab_id
        return self.tab_id or active

    def point(self, x: float, y: float) -> dict[str, float]:
        """Return a point of the last screenshot in CSS pixels of the viewport."""
        return {"x": x / self.scale, "y": y / self.scale} if self.scale != 1 else {"x": x, "y": y}

    def ref(self, name: str) -> str:
        """Return our name of a ref. The registry refuses names that it does not know."""
        number = name.removeprefix(self._ref_prefix)
        is_vendors = number != name and number.isascii() and number.isdigit()
        return f"e{number}" if is_vendors else name

    def vendors(self, text: str) -> str:
        """Return a text of ours with the vendor's refs. Quoted text of the page stays as it is."""
        if self._ref_prefix == "e":
            return text

        def named(match: re.Match[str]) -> str:
            if match[1] is not None:
                return f"[{self._ref_prefix}{match[1]}"
            return match[0] if match[2] is None else f"{self._ref_prefix}{match[2]}"

        return _OUR_REF.sub(named, text)

    def line_of(self, answer: Answer) -> str:
        """Return one line about an action's effects. The line is "" if the action had none."""
        head, *lines = answer.words.split("\n")
        _, _, effect = head.partition(" · ")
        if answer.data.get("status") == "interrupted":
            effect = ""  # the next line says which dialog opened
        if effect.startswith(_NOTHING):
            effect = ""
        shown = [line for line in (effect, *lines) if line and not line.startswith("value: ")]
        return self.vendors(" · ".join(shown))

    def failure(self, answer: Answer) -> Answer:
        """Return an action's error with the vendor's words, and without paths of this machine."""
        error: Mapping[str, Any] = answer.data["error"]
        hint = _without_paths(error["hint"])
        if error["code"] in _UNREAD:
            hint = f"Call {self._read} or {self._find} again."
        hint = _SNAPSHOT.sub(lambda match: f"{chr(ord(match[1]) - 17)}all {self._read}", hint)
        message = self.vendors(f"{_without_paths(error['message'])} {hint}".strip())
        if ref := error["data"].get("ref"):
            message = message.replace(repr(ref), repr(self.vendors(ref)))
        return Answer(text=message, data={"error": dict(error)}, is_error=True)


def _without_paths(text: str) -> str:
    for beginning in _PATHS:
        kept, cut, _ = text.partition(beginning)
        if cut:
            text = f"{kept.strip().removesuffix('.')}." if kept.strip() else ""
    return text
