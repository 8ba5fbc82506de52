"""Requests and responses, read from ``Browser.network``."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from judges.playwright_shim.outside import Shim, outside
from judges.playwright_shim.values import told

if TYPE_CHECKING:
    from judges.playwright_shim.pages import Page


class Log:
    """The tab's requests that a test has already seen."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._seen: dict[str, set[str]] = {}
        self._since: float | None = None

    async def document(self) -> Response | None:
        """Return the response with the page's document."""
        entries = await self._entries(resource_type="document")
        mine = [
            one
            for one in entries
            if one["status"] and one["url"] == self._page.url.partition("#")[0]
        ]
        return Response(self._page, mine[-1]) if mine else None

    async def _entries(self, **wanted: Any) -> list[Any]:
        read = await told(
            self._page._browser.network(limit=500, tab_id=self._page._tab_id, **wanted)
        )
        return list(read.value["requests"])

    def start(self) -> None:
        """Skip requests from before the test listened."""
        if self._since is None:
            self._since = time.time()

    async def read(self) -> None:
        for entry in await self._entries():
            if entry["started_at"] < (self._since or 0):
                continue
            told_of = self._seen.setdefault(entry["id"], set())
            reached = ["request"]
            if entry["status"]:
                reached.append("response")
            if not entry["pending"]:
                reached.append("requestfailed" if entry.get("error") else "requestfinished")
            for event in reached:
                if event not in told_of:
                    told_of.add(event)
                    kind = Response if event == "response" else Request
                    self._page._emit(event, kind(self._page, entry))


class Request(Shim):
    def __init__(self, page: Page, entry: Any) -> None:
        self._page, self._entry = page, entry
        self.url, self.method = entry["url"], entry["method"]
        self.resource_type = entry["type"]
        self.failure = entry.get("error")

    async def response(self) -> Response | None:
        return Response(self._page, self._entry) if self._entry["status"] else None

    def is_navigation_request(self) -> bool:
        return bool(self.resource_type == "document")


class Response(Shim):
    def __init__(self, page: Page, entry: Any) -> None:
        self._page, self._entry = page, entry
        self.url, self.status = entry["url"], entry["status"]
        self.ok = self.status == 0 or 200 <= self.status <= 299

    @property
    def request(self) -> Request:
        return Request(self._page, self._entry)

    async def finished(self) -> None:
        if self._entry["pending"]:
            outside("requests", "Response.finished")

    async def text(self) -> Any:
        read = await told(
            self._page._browser.network(request_id=self._entry["id"], tab_id=self._page._tab_id)
        )
        found = read.value["requests"][0] if "requests" in read.value else read.value
        if "body" not in found:
            outside("requests", "Response.body of bytes")
        return found["body"]

    async def body(self) -> bytes:
        return bytes(str(await self.text()), "utf-8")

    async def json(self) -> Any:
        return json.loads(await self.text())
