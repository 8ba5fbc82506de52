"""Record a performance trace of a tab, and report what slows the page down.

The browser process records the trace, so a hanging page does not stop the recording.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field

from tabwarden import results
from tabwarden.config import output_folder
from tabwarden.errors import InvalidArgument
from tabwarden.files.download_folder import PartialFile, StoredFile, checked_filename
from tabwarden.hints import Hint, Next, joined
from tabwarden.page.devtools.elements import find_refs
from tabwarden.page.devtools.performance_words import findings
from tabwarden.page.devtools.recording import in_thread, load_page
from tabwarden.page.devtools.trace_spool import TraceSpool
from tabwarden.page.devtools.vitals import (
    NamedElements,
    first_paint,
    interactions,
    largest_paint,
    layout_shifts,
    load_of,
    time_to_first_byte,
)
from tabwarden.page.devtools.work import long_tasks, requests
from tabwarden.page.downloads import pieces
from tabwarden.page.recovery import begin_rescue, call_start
from tabwarden.page.task import Call, Done, Slot, Task, card
from tabwarden.protocol import runtime, tracing
from tabwarden.supervisor.runtime import CommandRefused, Interrupted
from tabwarden.telemetry.redaction import url_without_secrets

_SETTLE_S = 3.0
"""How long to record after the load event, because paints and layout shifts may still occur."""
_ALIVE_MS = 2_000.0
"""How long a page may take to respond after the measurement before it counts as hung."""
_RESCUE_SHARE = 0.5
"""The share of the remaining time that a rescue may use before the trace is fetched."""
_READING_SHARE = 0.8
"""The share of the remaining time for fetching the trace. If time runs out, the fetched part is
saved."""
_TYPE = "application/json"
_BUFFER_KB = 60_000
"""The size of the browser's trace buffer: about 150 MB of JSON. When the buffer is full, the
browser stops recording."""
_CATEGORIES = [
    "blink.console",
    "blink.user_timing",
    "loading",
    "devtools.timeline",
    "disabled-by-default-devtools.target-rundown",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "disabled-by-default-devtools.timeline.stack",
    "disabled-by-default-devtools.v8-source-rundown",
    "disabled-by-default-layout_shift.debug",
    "disabled-by-default-lighthouse",
    "disabled-by-default-v8.cpu_profiler",
    "latencyInfo",
    "v8.execute",
]
"""The trace categories that Chrome DevTools records, except screenshots and sources, because those
would show secrets."""


class Recording(msgspec.Struct, frozen=True):
    """A trace that is being recorded."""

    tab_id: str
    session_id: str
    since: float
    """When the recording started, in monotonic seconds."""


_TRACE: Slot[Recording] = Slot()
"""The performance trace recording in progress."""


class Destination(msgspec.Struct, frozen=True, kw_only=True):
    """Where to save a trace."""

    folder: Path
    filename: str | None = None
    overwrite: bool = False


def check_name(filename: str | None) -> str | None:
    """Return a trace file's name. Raise ``InvalidArgument`` if the name has another extension than
    a trace."""
    if filename is None:
        return None
    name = checked_filename(filename, "output")
    if "." not in name:
        name += ".json"
    if not name.lower().endswith(".json"):
        raise InvalidArgument(
            f"{filename[:200]!r} does not end with .json.",
            "A trace is saved as JSON. Give a name such as trace.json.",
            field="filename",
        )
    return name


async def start(call: Call) -> Done:
    """Start recording.

    Raises:
        InvalidArgument: a trace is already being recorded.
    """
    running = _running(call.task)
    if running is not None:
        raise _already_recording(
            f"in tab {running.tab_id} ({time.monotonic() - running.since:.0f} s so far)"
        )
    session_id = call.tab.session_id or ""
    config = tracing.TraceConfig(
        included_categories=_CATEGORIES,
        excluded_categories=["*"],
        record_mode="recordUntilFull",
        trace_buffer_size_in_kb=_BUFFER_KB,
    )
    command = tracing.Start(transfer_mode="ReturnAsStream", trace_config=config)
    try:
        await call.race.call(command, session_id)
    except CommandRefused as refused:
        if "already" in str(refused.error).lower():
            raise _already_recording("by another client of this browser") from None
        raise
    _TRACE.put(call.task, Recording(call.tab.tab_id, session_id, time.monotonic()))
    return Done({"recording": True})


async def stop(call: Call, to: Destination) -> Done:
    """Stop recording, save the trace, and return the findings (``results.Performance``).

    Raises:
        InvalidArgument: no trace is being recorded, or the file can't be written.
    """
    recording = _running(call.task)
    if recording is None:
        raise InvalidArgument(
            "No trace is being recorded.",
            Hint("Start one", Next("performance", mode="start"), ", or measure a page load",
                 Next("performance", mode="reload"), "."),
            field="mode",
        )  # fmt: skip
    if recording.tab_id in call.state.tabs:
        call = call.on(call.state.tabs[recording.tab_id])
    return await _save_and_describe(call, recording, to)


async def measure(call: Call, to: Destination, *, settle_s: float, ignore_cache: bool) -> Done:
    """Record while the page loads and for ``settle_s`` seconds after the load, and return the
    findings.

    If the page hangs, free it before fetching the trace.
    """
    await start(call)
    recording = _TRACE.of(call.task)
    assert recording is not None
    began = call_start(call.task, call.tab.tab_id)
    try:
        note = await load_page(call, settle_s, ignore_cache=ignore_cache, outlives_replacement=True)
        alive = call.race.start(runtime.Evaluate(expression="0", silent=True), recording.session_id)
        if not await call.race.answered(alive, at_most_ms=_ALIVE_MS):
            note = await _rescue(call, began)
        done = await _save_and_describe(call, recording, to)
    except Interrupted:
        hint = Hint(
            "The trace is still being recorded. Stop it", Next("performance", mode="stop"), "."
        )
        call.race.notes.append(hint)
        raise
    except BaseException:
        if _TRACE.of(call.task) is recording:
            _discard(call.task, recording)
        raise
    return Done(done.value, joined(note, done.note))


def _discard(task: Task, recording: Recording) -> None:
    _TRACE.put(task, None)
    if recording.session_id in task.state.sessions:
        task.supervisor.send(tracing.End(), recording.session_id)


async def _rescue(call: Call, began: Any) -> str:
    """Rescue a hanging page. Return a note."""
    rescue = begin_rescue(call.task, call.tab.tab_id, began)
    at_most_ms = call.race.budget.remaining_ms() * _RESCUE_SHARE
    await call.race.finished(rescue.work, at_most_ms=at_most_ms)
    return joined("The page hung during the measurement.", rescue.hint)


async def _save_and_describe(call: Call, recording: Recording, to: Destination) -> Done:
    """End the recording, read the trace, save it, and describe it."""
    _TRACE.put(call.task, None)
    with TraceSpool() as spool:
        try:
            note = await _read(call, recording, spool)
        except CommandRefused:
            raise InvalidArgument(
                "The trace was lost: its tab was closed or replaced, or the connection was lost.",
                Hint("Record again", Next("performance", mode="start"), "."),
                field="mode",
            ) from None
        own = call.state.context is None and not call.state.own_window and not call.state.shared

        def write_file() -> StoredFile:
            with PartialFile(to.folder, "output_dir") as file:
                spool.write(file, call.task.control.hide, only_own=not own)
                name = to.filename or f"trace-{time.strftime('%Y%m%d-%H%M%S')}.json"
                return file.keep(name, _TYPE, overwrite=to.overwrite)

        saved = await in_thread(call, write_file)
        top = call.state.top_frame_id(recording.tab_id) or ""
        facts, elements = await in_thread(call, lambda: facts_of(spool, top))
    await find_refs(call, elements.pairs)
    value = {"findings": findings(facts), "file": {"path": saved.path, "size": saved.size}, **facts}
    return Done(msgspec.to_builtins(value), note)


async def _read(call: Call, recording: Recording, spool: TraceSpool) -> str:
    """Fetch the trace. Return a note if the trace is incomplete."""
    ended: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def hear(params: msgspec.Raw | bytes) -> None:
        if not ended.done():
            ended.set_result(params)

    unlisten = call.task.supervisor.listen(
        tracing.TracingComplete.METHOD, recording.session_id, hear
    )
    try:
        await call.race.call(tracing.End(), recording.session_id)
        await call.race.finished(ended)
    finally:
        unlisten()
    complete = msgspec.json.decode(ended.result(), type=tracing.TracingComplete)
    until = time.monotonic() + call.race.budget.remaining_s() * _READING_SHARE
    is_whole = True
    async with aclosing(pieces(call.race, recording.session_id, complete.stream or "")) as read:
        is_whole = await _fetch_until(call, read, spool, until)
    await in_thread(call, lambda: spool.end(is_whole=is_whole))
    notes = []
    if complete.data_loss_occurred:
        notes.append("The trace's buffer was full, so the end of the trace is missing.")
    if not is_whole:
        notes.append(
            "The trace is incomplete, because the time limit was reached. Allow more time."
        )
    return joined(*notes)


async def _fetch_until(
    call: Call, read: AsyncGenerator[bytes, None], spool: TraceSpool, until: float
) -> bool:
    """Fetch the trace. Return False if time ran out before the whole trace had arrived."""
    async for piece in read:
        await in_thread(call, partial(spool.take, piece))
        if time.monotonic() > until:
            return False
    return True


def facts_of(spool: TraceSpool, top: str) -> tuple[dict[str, Any], NamedElements]:
    """Return the fields of ``results.Performance``, except for the sentences and the file.

    Args:
        spool: the trace.
        top: the id of the tab's top frame.
    """
    events, elements = spool.events, NamedElements()
    load = load_of(events, top)
    times = [one.ts for one in events if one.ts > 0]
    began = load.began if load is not None else min(times, default=0.0)
    ended = max((one.end for one in events), default=0.0)
    since = load.committed if load is not None else began
    later = [one for one in events if one.ts >= since or one.ph == "M"]
    document = load.navigation_id if load is not None else ""
    facts = {
        "url": url_without_secrets(load.url) if load is not None else "",
        "lcp": largest_paint(events, load, elements) if load is not None else None,
        "fcp_ms": _round(first_paint(events, load)) if load is not None else None,
        "ttfb_ms": _round(time_to_first_byte(events, load)) if load is not None else None,
        "inp": interactions(later, spool.pids, elements),
        "cls": layout_shifts(later, began, elements),
        "long_tasks": long_tasks(later, began, spool.pids, ended),
        "requests": requests(events, since, began, spool.pids, document),
        "traced_ms": _round((ended - began) / 1000),
    }
    return facts, elements


def _round(ms: float | None) -> float | None:
    return None if ms is None else round(ms, 1)


def _running(task: Task) -> Recording | None:
    """Return the recording in progress. A recording ends with the tab's session."""
    recording = _TRACE.of(task)
    if recording is not None and recording.session_id not in task.state.sessions:
        _TRACE.put(task, None)
        return None
    return recording


def _already_recording(by: str) -> InvalidArgument:
    return InvalidArgument(
        f"A trace is already being recorded {by}. A browser records only one trace at a time.",
        Hint("Stop it first", Next("performance", mode="stop"), "."),
        field="mode",
    )


@card(
    "performance",
    about="Record a performance trace for Chrome DevTools, and report LCP, INP, CLS, long tasks, "
    "...",
    permission="files",
    group="devtools",
    gives=(results.Performance, results.Recording),
    shows=False,
    revives=True,
    varies={
        ("mode", "start"): {"revives": False, "refreshes": False, "without_page": True},
        ("mode", "stop"): {"revives": False, "refreshes": False, "without_page": True},
    },
)
async def performance(
    call: Call,
    mode: Annotated[
        Literal["reload", "start", "stop"],
        Field(description="reload: measure a page load. start, stop: measure actions in between."),
    ] = "reload",
    *,
    duration_s: Annotated[
        float,
        Field(
            description="For reload: how long to record after the load, in seconds.", ge=0, le=60
        ),
    ] = _SETTLE_S,
    ignore_cache: Annotated[bool, Field(description="For reload: bypass the cache.")] = False,
    filename: Annotated[
        str | None, Field(description="The trace file's name, such as x.json.")
    ] = None,
    overwrite: Annotated[bool, Field(description="Replace an existing file.")] = False,
) -> Done:
    """Record a performance trace, save it for Chrome DevTools, and report what slows the page
    down (docs/devtools.md).

    ``value`` is ``{"findings": [sentences], "file": {"path", "size"}, "url", "lcp", "fcp_ms",
    "ttfb_ms", "inp", "cls", "long_tasks", "requests", "traced_ms"}``, as in
    ``results.Performance``; for ``start``, it is ``{"recording": True}``. Elements have refs if
    the page still has them. If the page hangs, Tabwarden frees it and still saves the trace.

    Args:
        mode: ``reload`` measures a page load; ``start`` and ``stop`` measure the actions
            between the two calls.
        duration_s: for ``reload``: how long to record after the load, in seconds, at most 60.
        ignore_cache: for ``reload``: load everything from the network.
        filename: the trace's name in the output folder. The name must end with ``.json``.
        overwrite: replace an existing file; otherwise the name gets a number.

    Raises:
        InvalidArgument: a trace is already being recorded (``start``, ``reload``), or no trace
            is being recorded or its tab is gone (``stop``).
    """
    if mode != "reload" and ignore_cache:
        raise InvalidArgument(
            f"ignore_cache does not apply to mode {mode}.",
            "Only reload loads the page.",
            field="ignore_cache",
        )
    to = Destination(
        folder=output_folder(call.task.config),
        filename=check_name(filename),
        overwrite=overwrite,
    )
    if mode == "reload":
        return await measure(call, to, settle_s=duration_s, ignore_cache=ignore_cache)
    return await (start(call) if mode == "start" else stop(call, to))
