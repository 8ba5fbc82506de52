"""A user of Camofox's server with Tabwarden's plugin: a client that subscribes to dialogs."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode

from support.camofox import CamofoxServer

__all__ = ["PluginClient"]

Answer = tuple[int, Any]


class PluginClient:
    """Each request contains the user's ID; the events are read in order."""

    def __init__(self, server: CamofoxServer, user: str, threads: ThreadPoolExecutor) -> None:
        self.server = server
        self.user = user
        self._threads = threads
        self._after = 0
        self._unread: list[dict[str, Any]] = []

    def get(self, path: str, **query: object) -> Answer:
        return self.server.ask("GET", f"{path}?{urlencode({'userId': self.user, **query})}")

    def post(self, path: str, **body: object) -> Answer:
        return self.server.ask("POST", path, {"userId": self.user, **body})

    def begin(self, path: str, **body: object) -> Future[Answer]:
        """A request that a dialog can delay."""
        return self._threads.submit(self.post, path, **body)

    def listen(self) -> list[dict[str, Any]]:
        """Subscribe to this user's dialogs; return the open ones."""
        self._after = 0
        return self.wait(0)

    def open(self, url: str) -> str:
        """Open a tab; return its ID."""
        status, tab = self.post("/tabs", sessionKey="one", url=url)
        assert status == 200, tab
        tab_id: str = tab["tabId"]
        return tab_id

    def event(self, kind: str) -> dict[str, Any]:
        """The next event of this kind; earlier events are skipped."""
        while True:
            while self._unread:
                event = self._unread.pop(0)
                if event["event"] == kind:
                    return event
            self._unread = self.wait(15_000)
            assert self._unread, f"no {kind} came\n{self.server.log()}"

    def wait(self, wait_ms: int) -> list[dict[str, Any]]:
        """The next event within this time."""
        status, told = self.get("/tabwarden/events", after=self._after, waitMs=wait_ms)
        assert status == 200, told
        self._after = told["next"]
        events: list[dict[str, Any]] = told["events"]
        return events

    def dialog(self) -> dict[str, Any]:
        """The next dialog that opens."""
        dialog: dict[str, Any] = self.event("dialog_opened")["dialog"]
        return dialog

    def answer(self, dialog: dict[str, Any], **body: object) -> Answer:
        return self.post(f"/tabwarden/dialogs/{dialog['id']}", **body)

    def evaluate(self, tab_id: str, expression: str, **body: object) -> Answer:
        """Send the request to the plugin's own route."""
        path = f"/tabwarden/tabs/{tab_id}/evaluate"
        return self.post(path, expression=expression, **{"timeoutMs": 10_000, **body})
