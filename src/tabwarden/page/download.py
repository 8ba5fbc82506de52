"""Downloads that an agent asks for by URL: into the download folder, whole or not at all.

What the browser is sent is in ``response.py``. A connection that breaks is taken up where it broke
(``Range``, under the same ``ETag`` or date), or from the start where the server can't do that.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path, PureWindowsPath
from typing import Any

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, wait_exponential

from tabwarden.budget import Budget
from tabwarden.errors import (
    BudgetExceeded,
    Cancelled,
    EndpointUnreachable,
    InvalidArgument,
    TabwardenError,
)
from tabwarden.page.act import outcome_of
from tabwarden.page.arriving import Arriving
from tabwarden.page.counted import counted
from tabwarden.page.errand import errand
from tabwarden.page.filenames import extension_of, from_disposition, from_url
from tabwarden.page.inline import inline_body
from tabwarden.page.line import quoted
from tabwarden.page.outgoing import name_place
from tabwarden.page.response import Response, respond
from tabwarden.page.result import ActionResult, Done
from tabwarden.page.stream import pieces
from tabwarden.page.task import Task
from tabwarden.protocol import fetch
from tabwarden.supervisor import CommandRefused, DownloadTold, Race, Tab

__all__ = ["perform_download"]

_TRIES = 4
"""How often in a row a connection may break without a byte more than before."""
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)$")
_UNDECODABLE = "net::ERR_CONTENT_DECODING_FAILED"


@counted("download")
async def perform_download(
    task: Task,
    budget: Budget,
    url: str,
    folder: Path,
    *,
    filename: str | None = None,
    overwrite: bool = False,
    tab_id: str | None = None,
) -> ActionResult:
    """Download under a budget; the result's value says where the file is and what it is."""
    budget.check()
    await task.connected(budget)
    tab = task.tab(tab_id)
    name_place(task, url)
    with Arriving(folder) as arriving, Race(task.supervisor, budget) as race:
        transfer = _Transfer(task, race, url, arriving, filename)
        try:
            done = await transfer.run(tab, overwrite=overwrite)
        except BaseException as error:
            transfer.ended_by(error)
            raise
    return outcome_of(task, "download", tab.tab_id, done)


class _Broken(Exception):
    """The body ended before its end, or nothing came where something had come before."""


class _Transfer:
    """One download: what has come, and what the task is told of it."""

    def __init__(
        self, task: Task, race: Race, url: str, arriving: Arriving, filename: str | None
    ) -> None:
        self._task, self._race, self._url, self._arriving = task, race, url, arriving
        self._filename = filename
        self._guid = secrets.token_hex(16)
        task.met_downloads.append(self._guid)
        self._name = filename or from_url(url) or "download"
        self._total = 0
        self._validator = ""
        """What says that the rest belongs to what came: a strong ETag, or a date."""
        self._decoded = False
        """The server sends it packed whatever it is asked for; parts of that are of no use."""
        self._best = self._fruitless = self._resumed = 0
        self._tell()

    async def run(self, tab: Tab, *, overwrite: bool) -> Done:
        """Load it, and give it its name."""
        with self._race.doing(f"downloading {self._name[:100]!r}"):
            if self._url.lower().startswith(("data:", "blob:")):
                mime_type, body = await inline_body(self._task, self._race, tab, self._url)
                await self._take(body)
                where, unsure = self._url[:100], False
                suggested = "download"
            else:
                response = await self._loaded()
                mime_type = response.headers.get("content-type", "").partition(";")[0].strip()
                where, unsure = response.url, not self._total
                disposition = response.headers.get("content-disposition", "")
                suggested = from_disposition(disposition) or from_url(response.url) or "download"
        mime_type = mime_type.lower() or "application/octet-stream"
        if not PureWindowsPath(suggested).suffix:
            suggested += extension_of(mime_type)
        wanted = self._filename or suggested
        self._race.raise_if_ended()
        path = await asyncio.to_thread(self._arriving.keep, wanted, overwrite=overwrite)
        self._name = path.name
        self._tell("completed", path=str(path))
        value = {
            "path": str(path),
            "filename": path.name,
            "size": self._arriving.size,
            "mime_type": mime_type,
            "sha256": self._arriving.sha256,
            "url": where,
        }
        return Done(value, self._note(unsure=unsure))

    def ended_by(self, error: BaseException) -> None:
        """Tell that it came to nothing, and in the error how far it came."""
        stopped = isinstance(error, BudgetExceeded | Cancelled | asyncio.CancelledError)
        reason = error.message if isinstance(error, TabwardenError) else "it was cancelled"
        if isinstance(error, TabwardenError):
            error.data.update(received_bytes=self._arriving.size, total_bytes=self._total)
        if isinstance(error, BudgetExceeded) and not error.hint:
            error.hint = (
                f"{self._arriving.size} of {self._total or '?'} bytes had come, and are thrown "
                "away: call again with a longer timeout_ms."
            )
        self._tell("canceled" if stopped else "failed", reason=reason)

    async def _loaded(self) -> Response:
        """The response whose body is in the file, whole."""
        attempts = AsyncRetrying(
            wait=wait_exponential(multiplier=0.1, max=3.0),
            stop=self._is_hopeless,
            retry=retry_if_exception_type(_Broken),
            sleep=self._pause,
            reraise=True,
        )
        try:
            async for attempt in attempts:
                with attempt:
                    return await self._attempt()
        except _Broken as broken:
            raise EndpointUnreachable(
                f"The connection to {quoted(self._url[:500])} broke again and again: {broken}.",
                "Try again later; the server or the way to it may be overloaded.",
                url=self._url,
            ) from None
        raise AssertionError("unreachable")

    async def _attempt(self) -> Response:
        goes_on = self._arriving.size > 0 and self._validator != ""
        headers = {} if self._decoded else {"Accept-Encoding": "identity"}
        if goes_on:
            headers |= {"Range": f"bytes={self._arriving.size}-", "If-Range": self._validator}
        async with errand(self._task, self._race, self._task.state.context) as session_id:
            try:
                response = await respond(self._task, self._race, session_id, self._url, headers)
            except EndpointUnreachable as error:
                why = error.data.get("error_text", error.message)
                packed = why == _UNDECODABLE and not self._decoded
                self._decoded = self._decoded or packed
                if packed or self._began:
                    raise _Broken(why) from None
                raise
            await self._accept(response, goes_on=goes_on)
            taken = fetch.TakeResponseBodyAsStream(request_id=response.request_id)
            try:
                stream = (await self._race.call(taken, session_id)).stream
                await self._take(pieces(self._race, session_id, stream))
            except CommandRefused as refused:
                raise _Broken(str(refused.error)) from None
        if self._total and self._arriving.size != self._total:
            raise _Broken(f"{self._arriving.size} of {self._total} bytes came")
        return response

    @property
    def _began(self) -> bool:
        """Whether the server has sent something: then it is worth asking it again."""
        return self._best > 0 or self._arriving.size > 0

    async def _accept(self, response: Response, *, goes_on: bool) -> None:
        """Make ready for a body: after what came before, or from the start.

        Raises:
            InvalidArgument: the server refuses, or has nothing to send.
        """
        status = response.status
        if status >= 500 and self._began:
            raise _Broken(f"the server answered {status}")
        if status == 416 and goes_on:  # the file changed: begin again
            self._validator = ""
            raise _Broken("the server no longer has the rest")
        found = _RANGE.match(response.headers.get("content-range", ""))
        if status == 206 and goes_on and found and int(found[1]) == self._arriving.size:
            self._resumed += 1
            return
        if status != 200:
            raise _refused(response)
        await asyncio.to_thread(self._arriving.restart)
        packed = "content-encoding" in response.headers
        length = response.headers.get("content-length", "")
        self._total = int(length) if length.isdecimal() and not packed else 0
        tag = response.headers.get("etag", "")
        strong = tag if tag.startswith('"') else ""
        dated = response.headers.get("last-modified", "")
        self._validator = "" if packed else strong or dated

    async def _take(self, body: AsyncGenerator[bytes, None]) -> None:
        """Write a body, and tell how far it has come."""
        async with aclosing(body):
            async for piece in body:
                await asyncio.to_thread(self._arriving.write, piece)
                self._tell()
                self._race.budget.doing = (
                    f"downloading {self._name[:100]!r}: {self._arriving.size} of "
                    f"{self._total or '?'} bytes"
                )

    async def _pause(self, seconds: float) -> None:
        await self._race.until(lambda _: False, at_most_ms=seconds * 1000)

    def _is_hopeless(self, attempt: RetryCallState) -> bool:
        _ = attempt
        came = self._arriving.size
        self._fruitless = 0 if came > self._best else self._fruitless + 1
        self._best = max(self._best, came)
        return self._fruitless >= _TRIES

    def _tell(
        self, status: Any = "in_progress", *, path: str | None = None, reason: str = ""
    ) -> None:
        self._task.supervisor.feed(
            DownloadTold(
                guid=self._guid,
                url=self._url[:2000],
                filename=self._name,
                status=status,
                received_bytes=self._arriving.size,
                total_bytes=self._total,
                path=path,
                reason=reason,
            )
        )
        for download in self._task.state.downloads:
            if download.guid == self._guid:  # its result, or its error, says so itself
                self._task.seen.told(f"{download.id} {download.status}")

    def _note(self, *, unsure: bool) -> str:
        words = []
        if self._filename is not None and self._name != self._filename:
            words.append(f"{self._filename!r} was taken, so it is {self._name!r}.")
        if self._resumed:
            words.append(f"The connection broke and was taken up again {self._resumed} time(s).")
        if unsure:
            words.append(
                "The server did not say how long it is: had it broken off, nothing would show it."
            )
        return " ".join(words)


def _refused(response: Response) -> InvalidArgument | EndpointUnreachable:
    text = f" {quoted(response.status_text)}" if response.status_text else ""
    said = f"{response.status}{text}"
    if response.status >= 500:
        return EndpointUnreachable(
            f"The server answered {said}, so there is nothing to download.",
            "Try again later.",
            url=response.url,
            status=response.status,
        )
    hint = "Check the URL, or open it (browser_navigate) to see what the server shows."
    if response.status == 401:
        hint = "It wants a password: open it (browser_navigate) and answer with browser_auth first."
    elif response.status == 403:
        hint = "It may want a login: sign in on the site, in a tab of this browser, first."
    return InvalidArgument(
        f"The server answered {said}, so there is nothing to download.",
        hint,
        field="url",
        url=response.url,
        status=response.status,
    )
