"""Measure a page's heap and its numbers of DOM nodes and listeners, and save heap snapshots."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from pydantic import Field

from tabwarden.config import output_folder
from tabwarden.errors import NotSupported
from tabwarden.files.download_folder import PartialFile, StoredFile
from tabwarden.page.devtools.heap_snapshot import UnknownFormat, summarize, without_secrets
from tabwarden.page.devtools.quantities import change_words, size_words
from tabwarden.page.devtools.recording import check_name, in_thread
from tabwarden.page.task import Call, Done, card
from tabwarden.page.text import quoted
from tabwarden.protocol import heap_profiler, runtime
from tabwarden.protocol import memory as protocol
from tabwarden.results import Memory

_SAMPLES = 20
"""How many times to measure the memory during ``duration_s``."""
_SHORTEST_SAMPLE_S = 0.25
"""The minimum interval between two measurements."""
LONGEST_S = 600.0
_TYPE = "application/json"
_LARGEST = 400_000_000


@card(
    "memory",
    about="Measure a page's JavaScript heap, DOM nodes and event listeners.",
    permission="read",
    group="devtools",
    gives=Memory,
    shows=False,
    read_only=True,
    refreshes=False,
    acts=False,
)
async def memory(
    call: Call,
    *,
    duration_s: Annotated[
        float,
        Field(description="How long to measure, in seconds (0: measure once).", ge=0, le=LONGEST_S),
    ] = 0.0,
    gc: Annotated[bool, Field(description="First collect garbage.")] = False,
    filename: Annotated[
        str | None,
        Field(description="Also save a heap snapshot (x.heapsnapshot), and summarize it."),
    ] = None,
    overwrite: Annotated[bool, Field(description="Replace an existing file.")] = False,
) -> Done:
    """Measure a page's JavaScript heap, DOM nodes and event listeners. With a filename, also
    save a heap snapshot (docs/devtools.md).

    ``value`` is ``{"findings": [sentences], "samples": [{"at_s", "heap_used", "heap_total",
    "nodes", "documents", "listeners"}]}``. With a snapshot, it also has ``"heap"`` and
    ``"file"``.

    Args:
        duration_s: how long to measure, in seconds, at most 600; 0 measures once.
        gc: first collect garbage, to count only the memory in use.
        filename: save a heap snapshot under this name in the output folder. The name must end
            with ``.heapsnapshot``.
        overwrite: replace an existing file; otherwise the name gets a number.

    Raises:
        InvalidArgument: ``filename`` has another extension.
        NotSupported: the heap is too large for a snapshot.
    """
    hint = "Chrome DevTools opens only files with this extension."
    name = check_name(filename, ".heapsnapshot", hint)
    folder = output_folder(call.task.config)
    session_id = call.tab.session_id
    if gc:
        await call.race.call(heap_profiler.CollectGarbage(), session_id)
    samples = [await _sample(call, 0.0)]
    began = time.monotonic()
    pause_s = max(duration_s / _SAMPLES, _SHORTEST_SAMPLE_S)
    while (left_s := duration_s - (time.monotonic() - began)) > 0:
        await call.race.pause(min(pause_s, left_s) * 1000)
        samples.append(await _sample(call, time.monotonic() - began))
    value: dict[str, Any] = {"samples": samples}
    lines = _lines(samples)
    if name is not None:
        text = await _snapshot(call)

        def write_file() -> StoredFile:
            with PartialFile(folder, "output_dir") as file:
                for piece in without_secrets(text, call.task.control.hide):
                    file.write(piece)
                return file.keep(name, _TYPE, overwrite=overwrite)

        saved = await in_thread(call, write_file)
        value["file"] = {"path": saved.path, "size": saved.size}
        try:
            value["heap"] = await in_thread(call, lambda: summarize(text))
            lines += _heap_lines(value["heap"])
        except UnknownFormat as error:
            lines.append(f"The snapshot can't be summarized: {quoted(str(error)[:200])}.")
    return Done({"findings": lines, **value})


async def _sample(call: Call, at_s: float) -> dict[str, Any]:
    session_id = call.tab.session_id
    heap = await call.race.call(runtime.GetHeapUsage(), session_id)
    counters = await call.race.call(protocol.GetDOMCounters(), session_id)
    return {
        "at_s": round(at_s, 2),
        "heap_used": int(heap.used_size),
        "heap_total": int(heap.total_size),
        "nodes": counters.nodes,
        "documents": counters.documents,
        "listeners": counters.js_event_listeners,
    }


async def _snapshot(call: Call) -> str:
    chunks: list[bytes] = []
    size = 0

    def hear(params: msgspec.Raw | bytes) -> None:
        nonlocal size
        size += len(bytes(params))
        if size <= _LARGEST:
            chunks.append(bytes(params))

    unlisten = call.task.supervisor.listen(
        heap_profiler.AddHeapSnapshotChunk.METHOD, call.tab.session_id, hear
    )
    try:
        with call.race.doing("taking a heap snapshot"):
            command = heap_profiler.TakeHeapSnapshot(report_progress=False)
            await call.race.call(command, call.tab.session_id)
    finally:
        unlisten()
    if size > _LARGEST:
        raise NotSupported(
            f"The heap snapshot is {size_words(size)}; the limit is {size_words(_LARGEST)}.",
            "Omit filename, or free memory in the page first.",
            field="filename",
        )
    decode = msgspec.json.Decoder(heap_profiler.AddHeapSnapshotChunk).decode
    return await in_thread(call, lambda: "".join(decode(one).chunk for one in chunks))


def _lines(samples: Sequence[dict[str, Any]]) -> list[str]:
    first, last = samples[0], samples[-1]
    lines = [
        f"JavaScript heap {size_words(last['heap_used'])} of {size_words(last['heap_total'])}; "
        f"{last['nodes']} DOM nodes in {last['documents']} documents, "
        f"{last['listeners']} event listeners."
    ]
    if len(samples) > 1:
        peak = max(one["heap_used"] for one in samples)
        growth = change_words(last["heap_used"] - first["heap_used"], size_words)
        lines.append(
            f"In {last['at_s']:g} s: heap {growth} (peak {size_words(peak)}), "
            f"nodes {change_words(last['nodes'] - first['nodes'])}, "
            f"listeners {change_words(last['listeners'] - first['listeners'])}."
        )
    return lines


def _heap_lines(heap: dict[str, Any]) -> list[str]:
    lines = [
        f"Heap snapshot: {heap['objects']} objects, {size_words(heap['bytes'])}. Largest classes:"
    ]
    lines += [
        f"- {quoted(one['name'])}: {one['count']}, {size_words(one['bytes'])}"
        for one in heap["classes"]
    ]
    if heap["detached"]:
        listed = ", ".join(f"{one['count']} {quoted(one['name'])}" for one in heap["detached"])
        lines.append(f"Detached DOM nodes (in memory, but in no document): {listed}.")
    return lines
