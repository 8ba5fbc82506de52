"""The outcome of a navigation after which the tab keeps its page or shows an error page."""

from __future__ import annotations

from tabwarden.errors import InvalidArgument
from tabwarden.hints import Hint, Next
from tabwarden.page.navigation.timing import DOWNLOAD_MS, ERROR_PAGE_MS
from tabwarden.page.task import BegunRequests, Call, Done
from tabwarden.page.text import quoted
from tabwarden.supervisor.core.state.downloads import Download
from tabwarden.supervisor.core.state.state import SupervisorState

_URL_MAX = 300
_DATA_CHARS = 2 * 1024 * 1024
_NOTHING_NOTE = (
    "The tab still shows the same page: the server sent no page, or the page or the browser "
    "prevented the navigation."
)


async def stayed(
    call: Call,
    url: str,
    before: SupervisorState,
    requests: BegunRequests,
    *,
    is_download: bool,
) -> Done:
    """Return a note that explains why the tab still shows the previous page.

    Args:
        url: the requested URL.
        before: the state before the navigation.
        requests: the requests of the navigation.
        is_download: whether the browser reports that this is a download.

    Raises:
        InvalidArgument: the URL is longer than the browser allows.
    """
    if url[:5].lower() == "data:" and len(url) > _DATA_CHARS:
        raise InvalidArgument(
            f"The data: URL has {len(url)} characters. The browser opens at most {_DATA_CHARS}.",
            "Serve the page from a server, or make it smaller.",
            field="url",
        )
    if not is_download:
        return Done(note=_why_same(requests))
    known = {download.guid for download in before.downloads}

    def begun(state: SupervisorState) -> Download | None:
        tab_id = call.tab.tab_id
        return next(
            (d for d in state.downloads if d.guid not in known and d.tab_id == tab_id), None
        )

    await call.race.until(lambda state: begun(state) is not None, at_most_ms=DOWNLOAD_MS)
    download = begun(call.state)
    if download is None:
        return Done(note="The URL started a download, and the tab still shows the same page.")
    return Done(
        note=Hint(
            f"The URL started a download ({download.id}, {quoted(download.filename)}), and the tab "
            "still shows the same page. Wait for the file",
            *(Next("wait", download=download.id), "."),
            *(" If it is a PDF or text, read it", Next("scrape", download=download.id), "."),
        )
    )


def _why_same(requests: BegunRequests) -> str:
    if requests.for_programs:
        return (
            "The tab still shows the same page: the server redirected to "
            f"{quoted(requests.for_programs[-1][:_URL_MAX])}, which needs another program."
        )
    if requests.without_page:
        status = requests.without_page[-1][0]
        return f"The tab still shows the same page: the server replied {status}, without a page."
    return _NOTHING_NOTE


async def error_page_shown(call: Call, document: str) -> None:
    """Wait until the browser's error page has replaced a document. Until then, no page in the tab
    responds, and a reload would load the previous page."""
    tab_id = call.tab.tab_id

    def is_shown(state: SupervisorState) -> bool:
        top = state.top_frame(tab_id)
        return top is None or (top.loader_id != document and top.is_parsed)

    await call.race.until(is_shown, at_most_ms=ERROR_PAGE_MS)
    await call.task.refresh(call.race, tab_id)
