"""Write a trace as a zip file that Playwright's trace viewer opens.

The format is version 8 of Playwright's traces, which newer viewers also read. Our traces show a
screenshot where Playwright shows a DOM snapshot, because copying the DOM at each action takes too
long. The file ``tabwarden.jsonl`` in the zip file contains our own records.
"""

from __future__ import annotations

import base64
import json
import zipfile
from bisect import bisect_right
from collections.abc import Iterator
from typing import IO, Any

from tabwarden.recording.har import har_entry
from tabwarden.recording.records import Record
from tabwarden.recording.titles import CHANGE_NOTHING, error_of, notice_title, remarks_of, title_of
from tabwarden.recording.trace import RECORDS, Trace

_VERSION = 8
_VIEWPORT = {"width": 1280, "height": 720}
Event = dict[str, Any]


def write_zip(trace: Trace, file: IO[bytes]) -> None:
    """Write a trace file."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("trace.trace", _lines(_Writer(trace).events()))
        archive.writestr("trace.network", _lines(_network(trace)))
        archive.writestr(RECORDS, _lines(trace.records))
        for name, data in trace.images.items():
            archive.writestr(zipfile.ZipInfo(name), data)  # the images are already compressed


def _lines(values: Any) -> str:
    return "".join(json.dumps(one) + "\n" for one in values)


def _network(trace: Trace) -> Iterator[Event]:
    for request in trace.requests:
        entry = har_entry(request)
        entry["pageref"] = _page_id(request["tab_id"])
        entry["_frameref"] = request.get("frame_id") or ""
        entry["_monotonicTime"] = _ms(trace, request["started_at"])
        if frames := entry.get("_webSocketMessages"):  # Playwright's viewer expects milliseconds
            entry["_webSocketMessages"] = [
                {**one, "time": round(one["time"] * 1000, 3)} for one in frames
            ]
        yield {"type": "resource-snapshot", "snapshot": entry}


def _ms(trace: Trace, at: float) -> float:
    """Return milliseconds since the recording began."""
    return round((at - float(trace.about["began"])) * 1000, 3)


def _page_id(tab_id: str | None) -> str:
    return f"page@{tab_id or 't1'}"


class _Writer:
    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._by_tab: dict[str, list[Record]] = {}
        for picture in trace.pictures:
            self._by_tab.setdefault(picture["tab_id"], []).append(picture)
        self._written: dict[str, dict[str, int]] = {}
        """For each page, maps an image's data to the index of the snapshot that contains it."""
        self._snapshots: dict[str, int] = {}
        self._places = {call["number"]: place for place, call in enumerate(trace.calls)}

    def events(self) -> Iterator[Event]:
        about = self._trace.about
        yield {
            "type": "context-options",
            "version": _VERSION,
            "origin": "library",
            "browserName": "chromium",
            "options": {"viewport": about.get("viewport") or _VIEWPORT},
            "platform": about.get("platform", ""),
            "wallTime": about["began"] * 1000,
            "monotonicTime": 0,
            "sdkLanguage": "python",
            "title": f"Tabwarden: {about.get('task', '')}",
            "contextId": "context@1",
        }
        yield from self._film()
        for message in self._trace.console:
            yield self._console(message)
        for call in self._trace.calls:
            yield from self._call(call)

    def _film(self) -> Iterator[Event]:
        for picture in self._trace.pictures:
            yield {
                "type": "screencast-frame",
                "pageId": _page_id(picture["tab_id"]),
                "sha1": picture["file"].rpartition("/")[2],
                "width": picture["width"],
                "height": picture["height"],
                "timestamp": self._at(picture["at"]),
            }

    def _console(self, message: Record) -> Event:
        return {
            "type": "console",
            "messageType": message["level"],
            "text": message["text"],
            "args": [],
            "location": {
                "url": message.get("url") or "",
                "lineNumber": message.get("line") or 0,
                "columnNumber": 0,
            },
            "time": self._at(message["at"]),
            "pageId": _page_id(message["tab_id"]),
        }

    def _call(self, call: Record) -> Iterator[Event]:
        call_id, page_id = f"call@{call['number']}", _page_id(call["tab_id"])
        before = self._before(call)
        ended = call["ended"] or float(self._trace.about["ended"])
        after = self._after(call, ended)
        begin: Event = {
            "type": "before",
            "callId": call_id,
            "stepId": call_id,
            "startTime": self._at(call["began"]),
            "class": "Page",
            "method": call["action"],
            "title": title_of(call),
            "params": call["arguments"],
            "pageId": page_id,
            "beforeSnapshot": f"before@{call_id}",
        }
        if call.get("parent"):
            begin["parentId"] = f"call@{call['parent']}"
        yield begin
        yield from self._snapshot(call, before, f"before@{call_id}", call["began"])
        if call.get("point"):
            x, y = call["point"]
            name = f"input@{call_id}"
            yield {
                "type": "input",
                "callId": call_id,
                "point": {"x": x, "y": y},
                "inputSnapshot": name,
            }
            yield from self._snapshot(call, before, name, call["began"])
        for time, line in self._log(call, ended):
            yield {"type": "log", "callId": call_id, "time": self._at(time), "message": line}
        yield self._end(call, call_id, ended)
        yield from self._snapshot(call, after, f"after@{call_id}", ended)

    def _end(self, call: Record, call_id: str, ended: float) -> Event:
        end: Event = {
            "type": "after",
            "callId": call_id,
            "endTime": self._at(ended),
            "afterSnapshot": f"after@{call_id}",
        }
        error = error_of(call)
        if error:
            end["error"] = {"name": call["code"] or call["status"], "message": error}
        elif call.get("result") is not None:
            end["result"] = {"value": call["result"]}
        return end

    def _log(self, call: Record, ended: float) -> Iterator[tuple[float, str]]:
        for notice in self._trace.notices:
            if call["began"] <= notice["at"] <= ended:
                yield notice["at"], notice_title(notice)
        for line in remarks_of(call):
            yield ended, line

    def _before(self, call: Record) -> Record | None:
        """Return the last screenshot before a call."""
        pictures = self._by_tab.get(call["tab_id"] or "", [])
        place = bisect_right(pictures, call["began"], key=lambda one: float(one["at"]))
        return pictures[place - 1] if place else None

    def _after(self, call: Record, ended: float) -> Record | None:
        """Return the first screenshot between a call and the next call. If there is none, return
        the last screenshot before the end of the call."""
        pictures = self._by_tab.get(call["tab_id"] or "", [])
        place = bisect_right(pictures, ended, key=lambda one: float(one["at"]))
        if place < len(pictures) and pictures[place]["at"] < self._next_end(call, ended):
            return pictures[place]
        return pictures[place - 1] if place else None

    def _next_end(self, call: Record, ended: float) -> float:
        """Return the end time of the next call that may change the tab."""
        later = (
            one["ended"] or ended
            for one in self._trace.calls[self._places[call["number"]] + 1 :]
            if one["tab_id"] == call["tab_id"] and one["action"] not in CHANGE_NOTHING
        )
        return next((end for end in later if end > ended), float("inf"))

    def _snapshot(
        self, call: Record, picture: Record | None, name: str, at: float
    ) -> Iterator[Event]:
        """Show a screenshot as the page. The file contains the screenshot's data only once, and
        later snapshots refer to the first snapshot."""
        if picture is None or picture["file"] not in self._trace.images:
            return
        page_id = _page_id(picture["tab_id"])
        index = self._snapshots.get(page_id, 0)
        written = self._written.setdefault(page_id, {})
        first = written.setdefault(picture["file"], index)
        self._snapshots[page_id] = index + 1
        image: Any = [[index - first, 0]]  # refers to the first node of an earlier snapshot
        if first == index:
            data = base64.b64encode(self._trace.images[picture["file"]]).decode()
            kind = picture["file"].rpartition(".")[2]
            image = ["IMG", {"src": f"data:image/{kind};base64,{data}", "style": "width:100%"}]
        size = {"width": picture["width"], "height": picture["height"]}
        yield {
            "type": "frame-snapshot",
            "snapshot": {
                "callId": f"call@{call['number']}",
                "snapshotName": name,
                "pageId": page_id,
                "frameId": f"frame@{picture['tab_id']}",
                "frameUrl": call.get("url") or "about:blank",
                "doctype": "html",
                "html": ["HTML", {}, ["BODY", {"style": "margin:0"}, image]],
                "viewport": self._trace.about.get("viewport") or size,
                "timestamp": self._at(at),
                "wallTime": at * 1000,
                "collectionTime": 0,
                "resourceOverrides": [],
                "isMainFrame": True,
            },
        }

    def _at(self, at: float) -> float:
        return _ms(self._trace, at)
