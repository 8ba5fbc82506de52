"""Wait for conditions in a page on a Camofox server, by polling."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec

from tabwarden.config import BrowserConfig, download_folder
from tabwarden.errors import InvalidArgument
from tabwarden.files.download_folder import PartialFile, checked_filename
from tabwarden.integrations.camofox.answers import Downloads, Result
from tabwarden.integrations.camofox.calls import Calls, Done
from tabwarden.page.navigation import Condition
from tabwarden.page.task import download_json
from tabwarden.page.text import fits_url
from tabwarden.supervisor.core.state.downloads import Download
from tabwarden.supervisor.core.state.tabs import Tab

__all__ = ["network_idle", "waited"]

_EVERY_S = 0.25
_MAYBE_IDLE = (
    "A Camofox server waits at most 5 s for the network, and does not say whether it became idle."
)
_LARGEST = 40 * 1024 * 1024
_SHOWN = """(() => { const found = document.querySelector(%s);
  return !!found && found.getClientRects().length > 0; })()"""
_READY = {"domcontentloaded": ("interactive", "complete"), "load": ("complete",)}


async def waited(calls: Calls, tab: Tab, condition: Condition, config: BrowserConfig) -> Done:
    """Wait until a condition is true. The caller's budget ends the wait."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    value: dict[str, Any] = {}
    note = ""
    kind, what, filename = condition.kind, condition.what, condition.filename
    if kind == "time_s":
        await asyncio.sleep(what)
    elif kind == "load_state" and what == "networkidle":
        note = await network_idle(calls, tab)
    elif kind == "download":
        value["download"] = await _download(calls, tab, what, filename, config)
    else:
        while not await _holds(calls, tab, kind, what):  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(_EVERY_S)
    return Done({"waited_ms": round((loop.time() - began) * 1000), **value}, note)


async def network_idle(calls: Calls, tab: Tab) -> str:
    """Wait for an idle network for as long as the server does. Return a note about that limit."""
    await calls.server.post(f"/tabs/{tab.target_id}/wait", waitForNetwork=True)
    return _MAYBE_IDLE


async def _holds(calls: Calls, tab: Tab, kind: str, what: str) -> bool:
    if kind in ("text", "text_gone"):
        wanted = " ".join(what.split()).lower()
        visible = str(await _evaluated(calls, tab, "document.body.innerText"))
        return (wanted in " ".join(visible.split()).lower()) is (kind == "text")
    if kind == "url":
        return fits_url(what, str(await _evaluated(calls, tab, "location.href")))
    if kind == "load_state":
        return await _evaluated(calls, tab, "document.readyState") in _READY[what]
    return bool(await _evaluated(calls, tab, _SHOWN % json.dumps(what)))


async def _evaluated(calls: Calls, tab: Tab, expression: str) -> Any:
    path = f"/tabs/{tab.target_id}/evaluate"
    return (await calls.server.post(path, expression=expression)).read(Result).result


async def _download(
    calls: Calls, tab: Tab, what: Any, filename: str | None, config: BrowserConfig
) -> dict[str, Any]:
    """Wait for a download that no earlier wait has returned, and save its file."""
    name = checked_filename(filename) if filename is not None else None
    path = f"/tabs/{tab.target_id}/downloads"
    after = int(what[3:]) if isinstance(what, str) and what.startswith("dl-") else 0
    while True:
        calls.store.downloaded(tab, (await calls.server.get(path)).read(Downloads).downloads)
        for one in calls.state.downloads:
            is_next = int(one.id[3:]) > after and one.guid not in calls.returned
            if one.tab_id == tab.tab_id and is_next:
                return await _saved(calls, path, one, name, config)
        await asyncio.sleep(_EVERY_S)


async def _saved(
    calls: Calls, path: str, one: Download, name: str | None, config: BrowserConfig
) -> dict[str, Any]:
    if one.status != "completed":
        calls.returned.add(one.guid)
        return download_json(one)
    most = min(one.size or 1, _LARGEST)
    listing = (await calls.server.get(path, includeData=True, maxBytes=most)).read(Downloads)
    for entry in listing.downloads:
        if entry.id == one.guid and entry.data_base64 is not None:
            stored = await asyncio.to_thread(_written, entry.data_base64, one, name, config)
            calls.returned.add(one.guid)
            calls.store.download_is(stored)
            return download_json(stored)
    raise InvalidArgument(
        f"The server can't provide {one.id} ({one.size} bytes): the file is larger than "
        f"{_LARGEST} bytes, or no longer exists.",
        "Download a smaller file.",
        field="download",
    )


def _written(data: bytes, one: Download, name: str | None, config: BrowserConfig) -> Download:
    with PartialFile(download_folder(config)) as file:
        file.write(data)
        kept = file.keep(name or one.suggested_filename, one.mime_type or "")
    return msgspec.structs.replace(one, **msgspec.structs.asdict(kept), received_bytes=kept.size)
