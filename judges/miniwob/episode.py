"""Serves the tasks' pages, starts an episode with a seed, and receives the goal and the verdict.

A script at the end of each page starts the episode and sends beacons, so that no tool needs to run
scripts in the page, and all tools have the same page.
"""

from __future__ import annotations

import asyncio
import json
import mimetypes
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

__all__ = ["Episode", "Site"]

GOAL_S = 10.0
VERDICT_S = 1.0
"""How long an episode's end may take after the last action, for pages that end by a timer."""

SCRIPT = Path(__file__).with_name("episode.js")


@dataclass
class Episode:
    """One task with one seed."""

    number: int
    url: str
    loop: asyncio.AbstractEventLoop
    started: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    goal: str = ""
    reward: float | None = None
    reason: str = ""
    events: list[dict[str, Any]] = field(default_factory=list)
    """The page's mouse and keyboard events."""

    async def instruction(self) -> str:
        async with asyncio.timeout(GOAL_S):
            await self.started.wait()
        return self.goal

    async def verdict(self) -> float | None:
        """The reward, or None if the episode has not ended."""
        try:
            async with asyncio.timeout(VERDICT_S):
                await self.ended.wait()
        except TimeoutError:
            return None
        return self.reward

    def hear(self, told: dict[str, Any]) -> None:
        if told["kind"] == "start":
            self.goal = told["goal"]
            self.started.set()
        elif told["kind"] == "end":
            self.reward, self.reason = told["reward"], told["reason"] or ""
            self.ended.set()
        elif told["kind"] == "events":
            self.events += told["events"]


class Site:
    """Serve the pages on a port of this machine, until the block ends."""

    def __init__(self, pages: Path) -> None:
        self._pages = pages.resolve()
        self._episodes: dict[int, Episode] = {}
        self._loop = asyncio.get_running_loop()

    def __enter__(self) -> Site:
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site._serve(self)

            def do_POST(self) -> None:
                site._told(self)

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def episode(self, task: str, seed: int) -> Episode:
        number = len(self._episodes) + 1
        port = self._server.server_address[1]
        url = f"http://127.0.0.1:{port}/miniwob/{task}.html?{seed}-{number}"
        self._episodes[number] = Episode(number, url, self._loop)
        return self._episodes[number]

    @property
    def blank(self) -> str:
        """The URL of a page between two episodes."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/"

    def _serve(self, request: BaseHTTPRequestHandler) -> None:
        if request.path == "/":
            self._answer(request, b"<title>between two episodes</title>", "text/html")
            return
        path = (self._pages / urlsplit(request.path).path.lstrip("/")).resolve()
        if not path.is_relative_to(self._pages) or not path.is_file():
            # The tools need no icon or picture.
            request.send_response(204)
            request.end_headers()
            return
        body = path.read_bytes()
        if path.parent.name == "miniwob" and path.suffix == ".html":
            body += b"<script>" + SCRIPT.read_bytes() + b"</script>"
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        if kind == "text/html":
            kind = "text/html; charset=utf-8"
        self._answer(request, body, kind)

    def _answer(self, request: BaseHTTPRequestHandler, body: bytes, kind: str) -> None:
        request.send_response(200)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    def _told(self, request: BaseHTTPRequestHandler) -> None:
        told = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        request.send_response(204)
        request.end_headers()
        if (episode := self._episodes.get(told["episode"])) is not None:
            self._loop.call_soon_threadsafe(episode.hear, told)
