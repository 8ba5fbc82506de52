"""Measure how much of a page's scripts and style sheets is used."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field

from tabwarden import results
from tabwarden.config import output_folder
from tabwarden.errors import InvalidArgument
from tabwarden.files.download_folder import PartialFile, StoredFile
from tabwarden.hints import Hint, Next
from tabwarden.page.devtools.quantities import count_words, size_words
from tabwarden.page.devtools.recording import check_name, in_thread, load_page
from tabwarden.page.task import Call, Done, Slot, Task, card
from tabwarden.page.text import address
from tabwarden.protocol import Command, css, decode_event, dom, profiler
from tabwarden.supervisor.runtime import CommandRefused
from tabwarden.telemetry.redaction import url_without_secrets

_TYPE = "application/json"
_MOST_NAMED = 15


Range = tuple[int, int]
"""The indexes of a range's first character and of the character after its last."""


class _CoverageRecording:
    """Coverage that is being recorded in a tab."""

    def __init__(self, call: Call) -> None:
        self.tab_id = call.tab.tab_id
        self.session_id = call.tab.session_id or ""
        self.sheets: dict[str, css.CSSStyleSheetHeader] = {}
        self.end: Callable[[], None] = call.task.supervisor.listen(
            css.StyleSheetAdded.METHOD, self.session_id, self._hear
        )

    def _hear(self, params: msgspec.Raw | bytes) -> None:
        with suppress(msgspec.DecodeError, UnicodeDecodeError):
            header = decode_event(css.StyleSheetAdded, params).header
            self.sheets[header.style_sheet_id] = header


_COVERAGE: Slot[_CoverageRecording] = Slot()
"""The coverage recording in progress."""


async def start(call: Call) -> Done:
    """Start recording.

    Raises:
        InvalidArgument: coverage is already being recorded.
    """
    running = _running(call.task)
    if running is not None:
        raise InvalidArgument(
            f"Coverage is already being recorded in tab {running.tab_id}.",
            Hint("Stop it first", Next("coverage", mode="stop"), "."),
            field="mode",
        )
    recording = _CoverageRecording(call)
    commands: Sequence[Command[Any]] = (
        profiler.Enable(),
        profiler.StartPreciseCoverage(call_count=False, detailed=True),
        dom.Enable(),
        css.Enable(),
        css.StartRuleUsageTracking(),
    )
    try:
        for pending in [call.race.start(one, recording.session_id) for one in commands]:
            await call.race.result(pending)
    except BaseException:
        recording.end()
        raise
    _COVERAGE.put(call.task, recording)
    return Done({"recording": True})


async def stop(call: Call, folder: Path, filename: str | None, *, overwrite: bool) -> Done:
    """Stop recording; the value is a ``results.Coverage``.

    Raises:
        InvalidArgument: no coverage is being recorded.
    """
    recording = _running(call.task)
    if recording is None:
        raise InvalidArgument(
            "No coverage is being recorded.",
            Hint("Start a recording", Next("coverage", mode="start"), ", or record a page load",
                 Next("coverage", mode="reload"), "."),
            field="mode",
        )  # fmt: skip
    session_id = recording.session_id
    try:
        scripts = await call.race.call(profiler.TakePreciseCoverage(), session_id)
        rules = await call.race.call(css.StopRuleUsageTracking(), session_id)
    except CommandRefused as refused:
        raise InvalidArgument(
            f"The coverage data was lost: {refused.error}.",
            Hint("Record again", Next("coverage", mode="start"), "."),
            field="mode",
        ) from None
    finally:
        _end(call.task, recording)
    bridge = call.state.policy.bridge
    own = bridge.name if bridge is not None else ""
    files = _files(scripts.result, rules.rule_usage, recording.sheets, own)
    value = _value(files)
    if filename is not None:

        def write_file() -> StoredFile:
            text = call.task.control.hide(json.dumps(files, indent=1))
            with PartialFile(folder, "output_dir") as file:
                file.write(text.encode("utf-8", "replace"))
                return file.keep(filename, _TYPE, overwrite=overwrite)

        saved = await in_thread(call, write_file)
        value["file"] = {"path": saved.path, "size": saved.size}
    return Done({"findings": _lines(value), **value})


async def reload(
    call: Call, folder: Path, filename: str | None, *, overwrite: bool, settle_s: float
) -> Done:
    """Record while the page loads, and for ``settle_s`` seconds after the load."""
    await start(call)
    recording = _COVERAGE.of(call.task)
    assert recording is not None
    try:
        note = await load_page(call, settle_s)
        done = await stop(call, folder, filename, overwrite=overwrite)
    finally:
        if _COVERAGE.of(call.task) is recording:
            _end(call.task, recording)
    return Done(done.value, note)


def _end(task: Task, recording: _CoverageRecording) -> None:
    """Stop recording without waiting for the page, because the page may hang."""
    _COVERAGE.put(task, None)
    recording.end()
    if recording.session_id in task.state.sessions:
        commands: Sequence[Command[Any]] = (
            profiler.StopPreciseCoverage(),
            profiler.Disable(),
            css.Disable(),
            dom.Disable(),
        )
        for command in commands:
            task.supervisor.send(command, recording.session_id)


def _running(task: Task) -> _CoverageRecording | None:
    """Return the recording in progress. A recording ends with the tab's session."""
    recording = _COVERAGE.of(task)
    if recording is not None and recording.session_id not in task.state.sessions:
        recording.end()
        _COVERAGE.put(task, None)
        return None
    return recording


def _files(
    scripts: Sequence[profiler.ScriptCoverage],
    rules: Sequence[css.RuleUsage],
    sheets: Mapping[str, css.CSSStyleSheetHeader],
    own: str,
) -> list[dict[str, Any]]:
    """Return each file with its used ranges. Each inline script counts as a file. Leave out
    Tabwarden's own script, whose name is ``own``."""
    files = [
        _file(one.url, "js", length_of(one.functions), script_ranges(one.functions))
        for one in scripts
        if one.url not in ("", own) and not one.url.startswith(("extensions::", "chrome"))
    ]
    by_sheet: defaultdict[str, list[css.RuleUsage]] = defaultdict(list)
    for rule in rules:
        by_sheet[rule.style_sheet_id].append(rule)
    files += [
        _file(sheet.source_url, "css", int(sheet.length), rule_ranges(by_sheet[number]))
        for number, sheet in sheets.items()
        if sheet.length > 0
    ]
    return _merge(files)


def _file(url: str, kind: str, size: int, ranges: list[Range]) -> dict[str, Any]:
    return {"url": url_without_secrets(url), "type": kind, "bytes": size, "used": ranges}


def _merge(files: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """If several documents used the same file, merge its used ranges."""
    by_file: dict[tuple[str, str, int], dict[str, Any]] = {}
    for one in files:
        key = (one["url"], one["type"], one["bytes"])
        first = by_file.setdefault(key, one)
        first["used"] = join_ranges([*first["used"], *one["used"]])
    return list(by_file.values())


def script_ranges(functions: Iterable[profiler.FunctionCoverage]) -> list[Range]:
    """Return the parts of a script that ran. The innermost range around a part determines whether
    it ran."""
    ranges = sorted(
        (one for function in functions for one in function.ranges),
        key=lambda one: (one.start_offset, -one.end_offset),
    )
    used: list[Range] = []
    open_ones: list[profiler.CoverageRange] = []
    at = 0

    def advance(to: int) -> None:
        nonlocal at
        if open_ones and open_ones[-1].count > 0 and to > at:
            used.append((at, to))
        at = max(at, to)

    for one in ranges:
        while open_ones and open_ones[-1].end_offset <= one.start_offset:
            advance(open_ones[-1].end_offset)
            open_ones.pop()
        advance(one.start_offset)
        open_ones.append(one)
    while open_ones:
        advance(open_ones[-1].end_offset)
        open_ones.pop()
    return join_ranges(used)


def length_of(functions: Sequence[profiler.FunctionCoverage]) -> int:
    """Return a script's length, which is the length of its outermost function."""
    return max((one.end_offset for function in functions for one in function.ranges), default=0)


def rule_ranges(rules: Iterable[css.RuleUsage]) -> list[Range]:
    """Return the ranges of the style rules that apply to an element."""
    used = ((int(one.start_offset), int(one.end_offset)) for one in rules if one.used)
    return join_ranges(used)


def join_ranges(ranges: Iterable[Range]) -> list[Range]:
    """Return the ranges in order, joining ranges that touch or overlap."""
    joined: list[Range] = []
    for start, end in sorted(ranges):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        elif end > start:
            joined.append((start, end))
    return joined


def _value(files: Sequence[dict[str, Any]]) -> dict[str, Any]:
    rows = []
    for one in files:
        used = sum(end - start for start, end in one["used"])
        rows.append({
            "url": one["url"],
            "type": one["type"],
            "bytes": one["bytes"],
            "unused_bytes": max(one["bytes"] - used, 0),
        })  # fmt: skip
    rows.sort(key=lambda one: -one["unused_bytes"])
    return {
        "bytes": sum(one["bytes"] for one in rows),
        "unused_bytes": sum(one["unused_bytes"] for one in rows),
        "files": rows[:_MOST_NAMED],
        "left_out": max(len(rows) - _MOST_NAMED, 0),
    }


def _lines(value: Mapping[str, Any]) -> list[str]:
    if not value["files"]:
        return ["The page has no scripts and no style sheets."]
    count = count_words(len(value["files"]) + value["left_out"], "file")
    lines = [f"{count}, {_unused(value)}. The files with the most unused bytes:"]
    lines += [f"- {one['type']} {address(one['url'])}: {_unused(one)}" for one in value["files"]]
    if value["left_out"]:
        lines.append(
            f"{value['left_out']} more files. To save all files with their used ranges, give "
            "`filename`."
        )
    return lines


def _unused(one: Mapping[str, Any]) -> str:
    share = 100 * one["unused_bytes"] / (one["bytes"] or 1)
    return f"{size_words(one['unused_bytes'])} of {size_words(one['bytes'])} unused ({share:.0f} %)"


@card(
    "coverage",
    about="Measure how much of a page's scripts and style sheets is used.",
    permission="act",
    group="devtools",
    gives=(results.Coverage, results.Recording),
    shows=False,
    revives=True,
    varies={
        ("mode", "start"): {"revives": False, "refreshes": False},
        ("mode", "stop"): {"revives": False, "refreshes": False},
    },
)
async def coverage(
    call: Call,
    mode: Annotated[
        Literal["reload", "start", "stop"],
        Field(
            description="reload: record a page load. start, stop: record the actions in between."
        ),
    ] = "reload",
    *,
    duration_s: Annotated[
        float,
        Field(
            description="For reload: how long to record after the load, in seconds.", ge=0, le=60
        ),
    ] = 1.0,
    filename: Annotated[
        str | None,
        Field(description="Save the used ranges of all files to a file with this name (x.json)."),
    ] = None,
    overwrite: Annotated[bool, Field(description="Replace an existing file.")] = False,
) -> Done:
    """Measure how much of a page's scripts and style sheets is used (docs/devtools.md).

    ``value`` is ``{"findings": [sentences], "bytes", "unused_bytes", "files": [{"url", "type",
    "bytes", "unused_bytes"}], "left_out", "file"}``; for ``start``, ``{"recording": True}``.

    Args:
        mode: ``reload`` records a page load; ``start`` and ``stop`` record the actions between
            the two calls.
        duration_s: for ``reload``: how long to record after the load, in seconds, at most 60.
        filename: save all files with their used ranges, as JSON, in the output folder.
        overwrite: replace an existing file; otherwise the name gets a number.

    Raises:
        InvalidArgument: coverage is already being recorded (``start``, ``reload``), or is not
            being recorded (``stop``).
    """
    name = check_name(filename, ".json", "The ranges are saved as JSON.")
    folder = output_folder(call.task.config)
    if mode == "start":
        return await start(call)
    if mode == "stop":
        return await stop(call, folder, name, overwrite=overwrite)
    return await reload(call, folder, name, overwrite=overwrite, settle_s=duration_s)
