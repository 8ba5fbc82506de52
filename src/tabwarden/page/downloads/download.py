"""Downloads: download a URL for the caller, or wait for a download that a page started.

The state has a ``Download`` for each download, and the action returns it as JSON. ``response.py``
opens the URL. If the connection breaks, the download resumes where it stopped (``Range``, with the
same ``ETag`` or date), or restarts if the server can't resume.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace
from pydantic import Field

from tabwarden import results
from tabwarden.budget import Budget
from tabwarden.config import download_folder
from tabwarden.digits import whole_number
from tabwarden.errors import (
    BadCertificate,
    BudgetExceeded,
    Cancelled,
    InvalidArgument,
    PageUnreachable,
    TabwardenError,
)
from tabwarden.files.download_folder import (
    PartialFile,
    checked_filename,
    rename_file,
    with_extension,
)
from tabwarden.hints import MORE_TIME, Hint, Next, joined
from tabwarden.journal import Entry
from tabwarden.page.call import checked_url, hidden_target, instrumented, name_place, outcome_of
from tabwarden.page.downloads.body import inline_body, pieces
from tabwarden.page.downloads.response import Response, name_in_url, respond
from tabwarden.page.downloads.timing import FIRST_RETRY_S, LONGEST_RETRY_S
from tabwarden.page.task import (
    CARDS,
    ActionResult,
    Call,
    Done,
    Overwrite,
    Task,
    card,
    download_json,
)
from tabwarden.page.text import quoted
from tabwarden.protocol import fetch
from tabwarden.supervisor.core.state.downloads import Download, DownloadStatus
from tabwarden.supervisor.core.state.inputs import DownloadTold
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import CommandRefused, Race

if TYPE_CHECKING:
    from tenacity import RetryCallState

_TRIES = 4
"""The download fails after this many consecutive broken connections without any new data."""
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)$")
_MAY_START = (
    "back", "check", "click", "dialog", "drag", "drop", "evaluate", "fill_form", "forward", "goto",
    "mouse", "press", "reload", "select", "touch", "type", "uncheck", "upload",
)  # fmt: skip
"""The actions that may make a page start a download."""
_UNDECODABLE = "net::ERR_CONTENT_DECODING_FAILED"


@card(
    "download",
    about="""Download a URL to the download folder, with the browser's cookies.

    An interrupted download resumes.""",
    permission="files",
    group="files",
    gives=results.Download,
    shows=False,
    turn=None,
    alongside=True,
)
@instrumented("download")
async def download(
    task: Task,
    budget: Budget,
    url: Annotated[str, Field(description="An http(s) or data URL, or a blob URL of this page.")],
    filename: Annotated[
        str | None, Field(description="The file's name. Default: the name from the server.")
    ] = None,
    *,
    overwrite: Overwrite = False,
    tab_id: str | None = None,
) -> ActionResult:
    """Download a URL to the download folder (``download_dir`` in the configuration). The
    request uses the browser's own network and cookies, but no tab shows the file. ``value`` is
    the download in the format of ``state``: ``path``, ``filename``, ``size``, ``sha256`` etc.

    The file gets its name only when it is complete. After a broken connection, the download
    resumes. The folder is on this computer, even if the browser runs on another computer.

    Args:
        url: an http(s) or data URL, or a blob URL of the tab's page. A host name alone gets
            https.
        filename: a file name without folders; by default a safe version of the server's name.
        overwrite: replace an existing file. By default, the new file's name gets a number
            (``report (1).pdf``).
        tab_id: the tab that owns the blob; the active tab by default.

    Raises:
        InvalidArgument: ``url`` or ``filename`` is invalid, or the server answered with an
            error such as 404.
        Denied: a policy forbids the scheme, or the file would be outside the folder.
        PageUnreachable: the server does not respond, or the connection keeps breaking.
        BadCertificate: the browser does not trust the server's certificate.
        BudgetExceeded: the download did not finish; ``data`` says how much arrived. No file is
            kept.
    """
    url = checked_url(url)
    if url[:6].lower() == "about:":
        raise InvalidArgument("An about: URL is not a file.", field="url")
    filename = None if filename is None else checked_filename(filename)
    budget.check()
    await task.connected(budget)
    tab = task.tab(tab_id)
    name_place(task, url)
    with PartialFile(download_folder(task.config)) as file, Race(task.supervisor, budget) as race:
        transfer = _Transfer(Call(task, race, tab, CARDS[download]), url, file, filename)
        try:
            done = await transfer.run(overwrite=overwrite)
        except BaseException as error:
            transfer.ended_by(error)
            raise
    return outcome_of(task, "download", tab.tab_id, done)


class _Broken(Exception):
    """The connection broke, or the response can't be used. A retry may help."""


class _Transfer:
    """One download of a URL, with the data received so far and its entry in the state."""

    def __init__(self, call: Call, url: str, file: PartialFile, filename: str | None) -> None:
        self._call, self._url, self._file = call, url, file
        self._filename = filename
        suggested = call.task.control.hide(name_in_url(url))
        self._download = Download(
            guid=secrets.token_hex(16),
            url=url,
            suggested_filename=suggested,
            filename=filename or suggested,
        )
        call.task.met_downloads.append(self._download.guid)
        self._validator = ""
        """A strong ``ETag`` or a date. If a later response has the same value, it belongs to the
        same file."""
        self._decoded = False
        """Whether the server compresses the file although the request forbids it. A partial
        compressed file can't be used, so the download can't resume."""
        self._best = self._fruitless = self._resumed = 0
        self._tell()

    async def run(self, *, overwrite: bool) -> Done:
        suggested = self._download.suggested_filename
        with self._call.race.doing(f"downloading {self._download.filename[:100]!r}"):
            if self._url.lower().startswith(("data:", "blob:")):
                mime_type, body = await inline_body(self._call, self._url)
                await self._take(body)
                unsure = False
            else:
                response = await self._loaded()
                mime_type, suggested = response.mime_type, response.suggested_filename
                self._download = replace(self._download, url=response.url)
                unsure = self._download.size is None
        mime_type = mime_type.lower() or "application/octet-stream"
        suggested = self._call.task.control.hide(with_extension(suggested, mime_type))
        self._call.race.raise_if_ended()
        file = await asyncio.to_thread(
            self._file.keep, self._filename or suggested, mime_type, overwrite=overwrite
        )
        self._download = replace(self._download, suggested_filename=suggested).completed(file)
        self._tell()
        return Done(download_json(self._download), self._note(unsure=unsure))

    def ended_by(self, error: BaseException) -> None:
        """Record that the download failed. Add the number of received bytes to the error."""
        stopped = isinstance(error, BudgetExceeded | Cancelled | asyncio.CancelledError)
        reason = error.message if isinstance(error, TabwardenError) else "it was canceled"
        came, size = self._file.size, self._download.size
        if isinstance(error, TabwardenError):
            error.data.update(received_bytes=came, size=size)
        if isinstance(error, BudgetExceeded) and not error.hint:
            so_far = (
                f"Tabwarden discarded the {came} of {size or '?'} bytes that had been received."
            )
            error.hint = Hint(so_far, " Call again and ", MORE_TIME, ".")
        status: DownloadStatus = "canceled" if stopped else "failed"
        self._download = replace(self._download, status=status, reason=reason)
        self._tell()

    async def _loaded(self) -> Response:
        """Write the response's whole body to the file, and return the response."""
        from tenacity import AsyncRetrying, retry_if_exception_type, wait_exponential

        attempts = AsyncRetrying(
            wait=wait_exponential(multiplier=FIRST_RETRY_S, max=LONGEST_RETRY_S),
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
            raise PageUnreachable(
                f"The connection to {quoted(self._url[:500])} kept breaking: {broken}.",
                "Try again later. The server or the network may be overloaded.",
                url=self._url,
            ) from None
        raise AssertionError("unreachable")

    async def _attempt(self) -> Response:
        resumes = self._file.size > 0 and self._validator != ""
        headers = {} if self._decoded else {"Accept-Encoding": "identity"}
        if resumes:
            headers |= {"Range": f"bytes={self._file.size}-", "If-Range": self._validator}
        async with hidden_target(self._call, self._call.state.context) as session_id:
            try:
                response = await respond(self._call, session_id, self._url, headers)
            except (PageUnreachable, BadCertificate) as error:
                why = error.data.get("error_text", error.message)
                packed = why == _UNDECODABLE and not self._decoded
                self._decoded = self._decoded or packed
                if packed or self._began:
                    raise _Broken(why) from None
                raise
            await self._accept(response, resumes=resumes)
            taken = fetch.TakeResponseBodyAsStream(request_id=response.request_id)
            try:
                stream = (await self._call.race.call(taken, session_id)).stream
                await self._take(pieces(self._call.race, session_id, stream))
            except CommandRefused as refused:
                raise _Broken(str(refused.error)) from None
        size = self._download.size
        if size is not None and self._file.size != size:
            raise _Broken(f"{self._file.size} of {size} bytes arrived")
        return response

    @property
    def _began(self) -> bool:
        """Whether the server has already sent data, so that a retry is reasonable."""
        return self._best > 0 or self._file.size > 0

    async def _accept(self, response: Response, *, resumes: bool) -> None:
        """Prepare to write a body, either after the data so far or from the start. Raise an error
        if the response has no usable body."""
        status = response.status
        if status >= 500 and self._began:
            raise _Broken(f"the server replied {status}")
        if status == 416 and resumes:  # the file has changed, so start again
            self._validator = ""
            raise _Broken("the file on the server has changed")
        sent = _RANGE.match(response.headers.get("content-range", ""))
        if status == 206 and resumes and sent and int(sent[1]) == self._file.size:
            self._resumed += 1
            return
        if status != 200:
            raise _refused(response)
        await asyncio.to_thread(self._file.restart)
        packed = "content-encoding" in response.headers
        length = whole_number(response.headers.get("content-length", ""))
        size = None if packed else length
        self._download = replace(self._download, size=size)
        tag = response.headers.get("etag", "")
        strong = tag if tag.startswith('"') else ""
        dated = response.headers.get("last-modified", "")
        self._validator = "" if packed else strong or dated

    async def _take(self, body: AsyncGenerator[bytes, None]) -> None:
        async with aclosing(body):
            async for piece in body:
                await asyncio.to_thread(self._file.write, piece)
                self._tell()
                self._call.race.budget.doing = (
                    f"downloading {self._download.filename[:100]!r}: {self._file.size} of "
                    f"{self._download.size or '?'} bytes"
                )

    async def _pause(self, seconds: float) -> None:
        await self._call.race.pause(seconds * 1000)

    def _is_hopeless(self, attempt: RetryCallState) -> bool:
        _ = attempt
        came = self._file.size
        self._fruitless = 0 if came > self._best else self._fruitless + 1
        self._best = max(self._best, came)
        return self._fruitless >= _TRIES

    def _tell(self) -> None:
        now = replace(self._download, received_bytes=self._file.size)
        self._download = _tell(self._call.task, now)

    def _note(self, *, unsure: bool) -> str:
        words = []
        if self._filename is not None:
            words.append(_was_taken(self._filename, self._download))
        if self._resumed:
            words.append(
                f"The connection broke, and the download was resumed {self._resumed} time(s)."
            )
        if unsure:
            words.append(
                "The server did not send the file's size, so Tabwarden can't tell whether "
                "the file is complete."
            )
        return " ".join(filter(None, words))


def _last_action(task: Task) -> Entry | None:
    """Return the last call that could have made a page start a download."""
    acting = (one for one in reversed(task.journal.entries) if one.action in _MAY_START)
    return next(acting, None)


async def page_download(call: Call, after: str | None, filename: str | None) -> Done:
    """Wait for the first page-started download that no earlier call has reported. The download may
    have started or ended before this call; a note says if it is older than the last action. The
    value's ``status`` says whether the download succeeded.

    Args:
        call: the running call. Any tab of its task may have started the download.
        after: ignore downloads up to this one (``dl-3``).
        filename: the file's new name; None keeps the name that the page or the server suggests.

    Raises:
        InvalidArgument, Denied: ``filename`` is not a file name without folders.
    """
    name = None if filename is None else checked_filename(filename)
    last = 0 if after is None else int(after.removeprefix("dl-"))
    acted = _last_action(call.task)

    def ended(state: SupervisorState) -> Download | None:
        new = (
            download
            for download in state.downloads
            if download.guid not in call.task.met_downloads and int(download.id[3:]) > last
        )
        first = next(new, None)
        return first if first is not None and first.status != "in_progress" else None

    with call.race.doing("waiting for a download to end"):
        await call.race.until(lambda state: ended(state) is not None)
    download = ended(call.state)
    assert download is not None
    call.task.met_downloads.append(download.guid)
    call.task.seen.told(f"{download.id} {download.status}")
    note = older = ""
    if acted is not None and download.started_at < acted.began:
        older = (
            f"This download began {acted.began - download.started_at:.0f} s before your last "
            f"{acted.action}. To wait for the next download, call again."
        )
    if name is not None and download.status == "completed":
        if download.path is None or call.state.policy.download_dir is None:
            # Never rename a file at a path that the browser chose, because the path may be that of
            # any file.
            note = "The file keeps the folder and name that the browser chose."
        elif download.filename != name:
            download, note = await _renamed(call.task, download, Path(download.path), name)
    return Done(download_json(download), joined(older, note))


async def _renamed(task: Task, download: Download, path: Path, name: str) -> tuple[Download, str]:
    try:
        path = await asyncio.to_thread(rename_file, path, name)
    except OSError as error:
        return download, f"The file could not be renamed and keeps its name: {error.strerror}."
    renamed = _tell(task, replace(download, path=str(path), filename=path.name))
    return renamed, _was_taken(name, renamed)


def _was_taken(name: str, download: Download) -> str:
    if download.filename == name:
        return ""
    return f"{name!r} already exists, so the file is named {download.filename!r}."


def _tell(task: Task, download: Download) -> Download:
    """Update a download in the state. Mark the download as reported, because the action's own
    result or error reports it. Return the new version of the state."""
    task.supervisor.feed(DownloadTold(download))
    same_guid = (one for one in task.state.downloads if one.guid == download.guid)
    known = next(same_guid, download)
    task.seen.told(f"{known.id} {known.status}")
    return known


def _refused(response: Response) -> InvalidArgument | PageUnreachable:
    text = f" {quoted(response.status_text)}" if response.status_text else ""
    status = f"{response.status}{text}"
    if response.status >= 500:
        return PageUnreachable(
            f"The server replied {status}, so there is nothing to download.",
            "Try again later.",
            url=response.url,
            status=response.status,
        )
    opened = Next("navigate", url="...")
    hint: str = Hint("Check the URL, or open it", opened, " to see the server's page.")
    if response.status == 401:
        login = Next("auth", username="...", password="...")
        hint = Hint(
            "The server requires a password. Open the URL", opened, ", then log in", login, "."
        )
    elif response.status == 403:
        hint = "The site may require a login. Sign in first, in a tab of this browser."
    return InvalidArgument(
        f"The server replied {status}, so there is nothing to download.",
        hint,
        field="url",
        url=response.url,
        status=response.status,
    )
