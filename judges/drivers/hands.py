"""The scripted agent's hands: the same verbs as calls of each vendor's contract."""

from __future__ import annotations

import base64
import io
import json
import re
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

from PIL import Image
from support.site import Site
from support.toolset_rules import AnthropicRules, OpenAIRules

from judges.drivers.process import DriverProcess, NoAnswer

__all__ = ["AnthropicHands", "Hands", "OpenAIHands", "Reply"]

HEARD_S = 1.5
"""How long a page's report may take to arrive."""
REF = re.compile(r"\b(?:ref_\d+|ref_[0-9a-f]{8,}|e?\d+(?:\.\d+)?-\d+|e\d+)\b")
"""A ref of any of the drivers: ``ref_3``, ``0-13``, ``e2.0-13``, ``e3``."""


@dataclass(frozen=True)
class Reply:
    """What the model reads of one call, and its time."""

    member: str
    text: str
    failed: bool
    seconds: float
    tabs: list[dict[str, Any]] = field(default_factory=list)
    changes: list[dict[str, Any]] = field(default_factory=list)
    image: str = ""
    """The image as base64."""
    characters: int = 0
    """All text that the model reads, without images."""
    ended_run: bool = False
    """The SDK's tool runner would end the run with this call."""
    late: bool = False

    @property
    def active(self) -> str:
        """The id of the active tab."""
        return next((_id(tab) for tab in self.tabs if tab.get("active")), "")

    def says(self, pattern: str) -> bool:
        return re.search(pattern, self.text) is not None

    def picture(self) -> Image.Image:
        return Image.open(io.BytesIO(base64.b64decode(self.image))).convert("RGB")


def _id(tab: dict[str, Any]) -> str:
    return str(tab.get("tab_id") or tab.get("id") or "")


class Hands(ABC):
    """One driver, as an agent uses it. The pages report to ``site``."""

    contract: str

    def __init__(self, driver: DriverProcess, site: Site) -> None:
        self.driver = driver
        self.site = site
        self.replies: list[Reply] = []
        self.breaches: list[str] = []
        self.gone = False
        """The driver gave no answer in time, and no other call can be made."""
        self._count = 0

    def call(self, member: str, **given: Any) -> Reply:
        """Make a call.

        Raises:
            NoAnswer: it is late. No other call can be made.
        """
        self._count += 1
        call_id = f"call_{self._count}"
        given = self._complete(member, given)
        began = time.monotonic()
        try:
            answer = self.driver.order("call", id=call_id, name=member, input=given)
        except NoAnswer as error:
            self.gone = True
            seconds = time.monotonic() - began
            self.replies.append(Reply(member, str(error), True, seconds, late=True))
            raise
        reply = self._reply(call_id, member, given, answer.body, answer.seconds)
        self.replies.append(reply)
        return reply

    def function(self, name: str, **given: Any) -> Reply | None:
        """Call a function tool that the driver offers beside the toolset; None if it has none."""
        answer = self.driver.order("function", name=name, input=given)
        if answer.body.get("absent"):
            return None
        text = json.dumps(answer.body, ensure_ascii=False)
        failed = "raised" in answer.body
        reply = Reply(name, text, failed, answer.seconds, characters=len(text), ended_run=failed)
        self.replies.append(reply)
        return reply

    def accept(self, text: str | None = None) -> Reply | None:
        """Accept the open dialog; None if the driver has no such tool."""
        given: dict[str, Any] = {"action": "accept"}
        if text is not None:
            given["prompt_text"] = text
        return self.function("browser_dialog", **given)

    # -- what both contracts have --

    def open(self, path: str, *, shown: bool = True) -> Reply:
        """Load a page of the site anew, with a clean list of reports. Wait until it is shown,
        because some drivers return before.

        Args:
            path: the page.
            shown: false for a page that does not report that it is shown.
        """
        self.site.hits.clear()
        self._count += 1
        reply = self.call("navigate", url=f"{self.site.here}{path}?{self._count}")
        if shown:
            self.hears(f"shown{path}", 5)
        return reply

    def text(self, **given: Any) -> Reply:
        return self.call("get_page_text", **given)

    @abstractmethod
    def read(self, everything: bool = True, **given: Any) -> Reply: ...
    @abstractmethod
    def click(self, ref: str, **given: Any) -> Reply: ...
    @abstractmethod
    def click_at(self, x: int, y: int) -> Reply: ...
    @abstractmethod
    def type(self, ref: str, text: str) -> Reply: ...
    @abstractmethod
    def choose(self, ref: str, option: str) -> Reply: ...
    @abstractmethod
    def press(self, *keys: str) -> Reply: ...
    @abstractmethod
    def run(self, script: str) -> Reply: ...
    @abstractmethod
    def _complete(self, member: str, given: dict[str, Any]) -> dict[str, Any]: ...
    @abstractmethod
    def _reply(
        self, call_id: str, member: str, given: dict[str, Any], body: dict[str, Any], seconds: float
    ) -> Reply: ...

    def ref(self, name: str, reply: Reply | None = None) -> str:
        """The ref of the element with this name, from a reading of the page; "" if none."""
        reply = reply or self.read()
        for line in reply.text.splitlines():
            if name in line and (found := REF.search(line.replace(name, ""))):
                return found[0]
        return ""

    def click_named(self, name: str) -> Reply:
        return self.click(self.ref(name))

    def hears(self, report: str, wait_s: float = HEARD_S) -> str:
        """The first report that begins so, or "" if none arrives soon."""
        until = time.monotonic() + wait_s
        while True:
            for hit in list(self.site.hits):
                if hit.removeprefix("/told/").startswith(report):
                    return hit.removeprefix("/told/")
            if time.monotonic() > until:
                return ""
            time.sleep(0.01)

    @property
    def characters(self) -> int:
        """Characters that the model has read so far."""
        return sum(reply.characters for reply in self.replies)


class AnthropicHands(Hands):
    contract = "anthropic"

    def __init__(self, driver: DriverProcess, site: Site) -> None:
        super().__init__(driver, site)
        self._rules = AnthropicRules()

    def read(self, everything: bool = True, **given: Any) -> Reply:
        return self.call("read_page", filter="all" if everything else "interactive", **given)

    def click(self, ref: str, **given: Any) -> Reply:
        return self.call("left_click", target={"type": "ref", "ref": ref}, **given)

    def click_at(self, x: int, y: int) -> Reply:
        return self.call("left_click", target={"type": "coordinate", "x": x, "y": y})

    def type(self, ref: str, text: str) -> Reply:
        return self.call("form_input", target={"type": "ref", "ref": ref}, value=text)

    def choose(self, ref: str, option: str) -> Reply:
        return self.type(ref, option)

    def press(self, *keys: str) -> Reply:
        return self.call("key", text="+".join(keys))

    def run(self, script: str) -> Reply:
        return self.call("javascript_exec", text=script)

    def _complete(self, member: str, given: dict[str, Any]) -> dict[str, Any]:
        return given

    def _reply(
        self, call_id: str, member: str, given: dict[str, Any], body: dict[str, Any], seconds: float
    ) -> Reply:
        if "raised" in body:
            return Reply(member, body["raised"], True, seconds, ended_run=True)
        call = {"id": call_id, "name": member, "toolset_name": "browser", "input": given}
        self.breaches += self._rules.breaches(call, body)
        blocks = body["content"]
        if isinstance(blocks, str):
            blocks = [{"type": "text", "text": blocks}]
        text = "\n".join(block["text"] for block in blocks if block["type"] == "text")
        images = [block["source"]["data"] for block in blocks if block["type"] == "image"]
        states = [block for block in blocks if block["type"] == "browser_state"]
        state = states[-1] if states else {}
        read = len(text) + sum(len(json.dumps(one, ensure_ascii=False)) for one in states)
        return Reply(
            member, text, bool(body.get("is_error")), seconds, state.get("tabs", []),
            state.get("state_changes", []), "".join(images), read,
        )  # fmt: skip


class OpenAIHands(Hands):
    contract = "openai"
    NO_TAB = frozenset({"new_tab", "list_tabs", "upload_file", "download_file"})

    def __init__(self, driver: DriverProcess, site: Site) -> None:
        super().__init__(driver, site)
        self._rules = OpenAIRules()
        self._seen = 0

    def read(self, everything: bool = True, **given: Any) -> Reply:
        return self.call("read_page", filter="all" if everything else "interactive", **given)

    def click(self, ref: str, **given: Any) -> Reply:
        return self.call("click", target=ref, **given)

    def click_at(self, x: int, y: int) -> Reply:
        return self.call("click_at", x=x, y=y, button="left", click_count=1, keys=[])

    def type(self, ref: str, text: str) -> Reply:
        return self.call("type", target=ref, text=text)

    def choose(self, ref: str, option: str) -> Reply:
        return self.call("select_option", target=ref, values=[option])

    def press(self, *keys: str) -> Reply:
        return self.call("key", keys=list(keys))

    def run(self, script: str) -> Reply:
        return self.call("run_script", source=script, timeout_ms=20_000)

    def _complete(self, member: str, given: dict[str, Any]) -> dict[str, Any]:
        return given if member in self.NO_TAB else {"tab_id": None, **given}

    def _reply(
        self, call_id: str, member: str, given: dict[str, Any], body: dict[str, Any], seconds: float
    ) -> Reply:
        if "raised" in body:
            return Reply(member, body["raised"], True, seconds, ended_run=True)
        call = {"call_id": call_id, "name": f"browser_{member}", "arguments": json.dumps(given)}
        self.breaches += self._rules.breaches(call, body)
        told = json.loads(body["output"][0]["text"])
        images = [part["image_url"] for part in body["output"][1:] if part.get("image_url")]
        state = told.get("state", {})
        changes = state.get("observation", {}).get("changes", [])
        fresh = [change for change in changes if change["sequence"] > self._seen]
        self._seen = max([self._seen, *(change["sequence"] for change in changes)])
        return Reply(
            member, _openai_text(told), not told["ok"], seconds, state.get("tabs", []), fresh,
            "".join(images).partition(",")[2], len(body["output"][0]["text"]),
        )  # fmt: skip


def _openai_text(told: dict[str, Any]) -> str:
    """What the model reads of a result beside the state, in lines."""
    result = told.get("error", told.get("result"))
    if not isinstance(result, dict) or "text" not in result:
        return result if isinstance(result, str) else json.dumps(result)
    lines = [
        f"{one['ref']} {one.get('role', 'scope')} {one['label']}"
        for one in (*result["elements"], *result.get("scopes", ()))
    ]
    return "\n".join([result["text"], *lines])
