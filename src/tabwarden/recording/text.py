"""Format a trace as lines, for an agent or a log."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tabwarden.recording.records import Record
from tabwarden.recording.titles import error_of, notice_title, remarks_of, title_of
from tabwarden.recording.trace import Trace


def lines_of(trace: Trace) -> Iterator[str]:
    """Yield a trace's calls, notices and console errors as lines, in chronological order."""
    about = trace.about
    seconds = about["ended"] - about["began"]
    yield (
        f"Trace of {about['task']} ({about.get('browser') or 'browser'}): {len(trace.calls)} calls "
        f"in {seconds:.1f} s, {len(trace.pictures)} images, {len(trace.requests)} requests."
    )
    events: list[tuple[float, list[str]]] = [
        *((one["began"], _of_call(one)) for one in trace.calls),
        *((one["at"], [f"  - {notice_title(one)}"]) for one in trace.notices),
        *(
            (one["at"], [f"  - console {one['level']}: {one['text'][:500]}"])
            for one in trace.console
            if one["level"] in ("error", "warning")
        ),
    ]
    for at, lines in sorted(events, key=lambda one: one[0]):
        moment = time.strftime("%H:%M:%S", time.localtime(at))
        yield f"{moment} {lines[0]}"
        yield from lines[1:]


def _of_call(call: Record) -> list[str]:
    took = f" ({(call['ended'] - call['began']) * 1000:.0f} ms)" if call["ended"] else " (running)"
    lines = [f"{call['number']}. {title_of(call)}{took}"]
    error = error_of(call)
    if error:
        lines.append(f"    failed: {error}")
    lines += [f"    {remark}" for remark in remarks_of(call)]
    return lines
