"""Web vitals and long tasks, from trace events."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tabwarden.files.download_folder import PartialFile
from tabwarden.page.devtools.trace_spool import TraceEvent, TraceSpool
from tabwarden.page.devtools.vitals import NamedElements, interactions, layout_shifts, rating
from tabwarden.page.devtools.work import long_tasks


def shift(at_s: float, score: float, *, after_input: bool = False) -> TraceEvent:
    data = {"weighted_score_delta": score, "had_recent_input": after_input}
    return TraceEvent("LayoutShift", "I", at_s * 1e6, args={"frame": "F", "data": data})


@pytest.mark.parametrize(
    ("shifts", "score"),
    [
        ([(0, 0.1), (0.5, 0.2)], 0.3),
        ([(0, 0.1), (1.5, 0.2)], 0.2),  # more than a second between them
        ([(at * 0.9, 0.1) for at in range(8)], 0.6),  # a window ends after five seconds
    ],
)
def test_layout_shift_score_is_the_score_of_the_worst_session_window(
    shifts: list[tuple[float, float]], score: float
) -> None:
    events = [shift(at, one) for at, one in shifts]
    found = layout_shifts([*events, shift(0.1, 5.0, after_input=True)], 0.0, NamedElements())
    assert found["score"] == pytest.approx(score)
    assert found["count"] == len(shifts)


def event(number: int, kind: str, ms: float, begun: float, ended: float) -> TraceEvent:
    data = {
        "interactionId": number, "type": kind, "duration": ms, "timeStamp": 10.0,
        "processingStart": begun, "processingEnd": ended, "frame": "F", "nodeId": 7,
    }  # fmt: skip
    return TraceEvent("EventTiming", "b", 1.0, pid=1, args={"data": data})


def test_interaction_duration_covers_all_of_its_events() -> None:
    events = [
        event(1, "pointerdown", 300, 30, 32),
        event(1, "click", 299, 33, 283),
        event(2, "keydown", 90, 11, 12),
        event(0, "pointerover", 900, 11, 12),
    ]
    found = NamedElements()
    inp = interactions(events, {1}, found)
    assert inp is not None
    assert (inp["ms"], inp["kind"], inp["count"]) == (300, "click", 2)
    assert inp["rating"] == "needs improvement"
    assert inp["parts_ms"] == {"input_delay": 20, "processing": 253, "drawing_delay": 27}
    assert found.pairs[0][0] == ("F", 7)
    assert interactions(events, {2}, found) is None


def test_inp_ignores_the_slowest_outliers_of_a_hundred_interactions() -> None:
    events = [event(number, "click", number, 11, 12) for number in range(1, 101)]
    inp = interactions(events, {1}, NamedElements())
    assert inp is not None
    assert inp["ms"] == 98


def test_web_vitals_rating_is_good_needs_improvement_or_poor() -> None:
    assert [rating("lcp", ms) for ms in (2500, 2501, 4001)] == ["good", "needs improvement", "poor"]


def thread(tid: int, name: str) -> TraceEvent:
    return TraceEvent("thread_name", "M", pid=1, tid=tid, args={"name": name})


def test_long_task_report_contains_the_script_and_marks_an_unfinished_task() -> None:
    def script(at: float, dur: float, url: str, tid: int = 5) -> TraceEvent:
        data = {"url": url, "lineNumber": 3, "columnNumber": 9, "functionName": "f"}
        name, phase = "FunctionCall", "X" if dur > 0 else "B"
        return TraceEvent(name, phase, at, dur, 1, tid, {"data": data})

    events = [
        thread(5, "CrRendererMain"), thread(6, "Worker"),
        TraceEvent("RunTask", "X", 1000, 90_000, 1, 5), script(1100, 20_000, "http://a/x.js"),
        script(30_000, 50_000, "http://a/y.js?token=abc"),
        TraceEvent("RunTask", "X", 1000, 90_000, 1, 6),
        TraceEvent("RunTask", "X", 1000, 90_000, 2, 5),
        TraceEvent("RunTask", "B", 200_000, -1, 1, 5), script(200_100, -1, "http://a/loop.js"),
    ]  # fmt: skip
    told = long_tasks(events, 0.0, {1}, 1_200_000)
    assert told["count"] == 2
    assert told["blocking_ms"] == 990.0
    hung, long = told["tasks"]
    assert hung == {
        "ms": 1000.0, "at_ms": 200.0, "unfinished": True,
        "script": "http://a/loop.js:3:9", "function": "f",
    }  # fmt: skip
    assert "y.js" in long["script"]
    assert "abc" not in long["script"]


def line(name: str, pid: int, **args: Any) -> bytes:
    event = {"args": args, "cat": "x", "name": name, "ph": "I", "pid": pid, "tid": 1, "ts": 1}
    return json.dumps(event, separators=(",", ":")).encode()


def test_trace_spool_joins_chunks_and_drops_other_tabs_and_secrets(tmp_path: Path) -> None:
    ours, cookie = [{"processId": 7}], [{"name": "Set-Cookie", "value": "s1d"}]
    whole = b",\n".join([
        b'{"traceEvents":[\n' + line("TracingStartedInBrowser", 1, data={"frames": ours}),
        line("navigationStart", 7, data={"documentLoaderURL": 'http://a/"name":"x","ph":"X"'}),
        line("Other", 8, url="http://secret.example/"),
        line("ResourceReceiveResponse", 7, data={"headers": cookie}),
        line("Last", 7, text="pass-word"),
    ]) + b'],"metadata":\n{"command_line":"/usr/bin/x"}}'  # fmt: skip
    with TraceSpool() as spool:
        for at in range(0, len(whole), 11):
            spool.take(whole[at : at + 11])
        spool.end(is_whole=True)
        assert spool.pids == {7}
        with PartialFile(tmp_path) as file:
            spool.write(file, lambda text: text.replace("pass-word", "{{P}}"), only_own=True)
            kept = file.keep("t.json", "application/json")
    text = Path(kept.path).read_text()
    assert [one["name"] for one in json.loads(text)["traceEvents"]] == [
        "TracingStartedInBrowser", "navigationStart", "ResourceReceiveResponse", "Last",
    ]  # fmt: skip
    for hidden in ("s1d", "pass-word", "secret.example", "command_line"):
        assert hidden not in text
