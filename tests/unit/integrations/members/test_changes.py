"""What drivers report about a browser's changes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from tabwarden.browser import Browser
from tabwarden.integrations.members.changes import ClaudeReport, Window
from tabwarden.supervisor.core.state.changes import Change, Changes
from tabwarden.supervisor.core.state.dialog_values import ClosedDialog
from tabwarden.supervisor.core.state.downloads import Download

KINDS = ("tab_opened", "tab_closed", "tab_switched", "navigation", "navigation_refused")


def dialog(closed_by: Any, *, accepted: bool | None) -> ClosedDialog:
    return ClosedDialog(
        id="d-1", type="confirm", message="Sure?", default_prompt="", frame_id="F", session_id="S",
        target_id="T", tab_id="t1", url="", opened_at=1.0, closed_at=2.0, closed_by=closed_by,
        accepted=accepted, prompt_text=None,
    )  # fmt: skip


def download(status: Any) -> Download:
    return Download(
        id="dl-1", guid="g", url="https://a.example/x", suggested_filename="x", filename="x",
        path="/home/user/x" if status == "completed" else None, size=3, reason="net::ERR_FAILED",
    )  # fmt: skip


@st.composite
def changes(draw: st.DrawFn, sequence: int) -> Change:
    kind = draw(st.sampled_from([*KINDS, "dialog_answered", "download"]))
    fields: dict[str, Any] = {}
    if kind == "dialog_answered":
        closed_by = draw(st.sampled_from(["agent", "auto_policy", "watchdog"]))
        fields["dialog"] = dialog(closed_by, accepted=draw(st.sampled_from([True, False, None])))
    if kind == "download":
        statuses = ["blocked", "started", "completed", "failed", "canceled"]
        fields["status"] = draw(st.sampled_from(statuses))
        fields["download"] = None if fields["status"] == "blocked" else download(fields["status"])
    tab_id = draw(st.sampled_from(["t1", "t2", None]))
    return Change(sequence=sequence, kind=cast("Any", kind), at=1.0, tab_id=tab_id, **fields)


class FakeBrowser:
    """A browser that only has the state that reports read."""

    def __init__(self) -> None:
        self.state = SimpleNamespace(task_id="task-1", changes=Changes())

    def add(self, change: Change) -> None:
        self.state.changes = self.state.changes.adding(change)


def browser_of(fake: FakeBrowser) -> Browser:
    return cast("Browser", fake)


@given(st.data(), st.lists(st.integers(0, 40), max_size=12))
def test_window_only_grows_or_loses_its_oldest_entries(
    data: st.DataObject, steps: list[int]
) -> None:
    fake = FakeBrowser()
    window = Window(browser_of(fake))
    before = window.report(browser_of(fake))
    for step in steps:
        for _ in range(step):
            fake.add(data.draw(changes(fake.state.changes.sequence + 1)))
        after = window.report(browser_of(fake))
        assert after["sequence"] == after["dropped_changes"] + len(after["changes"])
        numbers = [one["sequence"] for one in after["changes"]]
        first = after["dropped_changes"] + 1
        assert numbers == list(range(first, first + len(numbers)))
        assert len(numbers) <= 16
        kept = [one for one in before["changes"] if one["sequence"] >= first]
        assert after["changes"][: len(kept)] == kept
        before = after


@given(st.data())
def test_claude_report_has_each_change_once_and_only_known_kinds(data: st.DataObject) -> None:
    fake = FakeBrowser()
    report = ClaudeReport(browser_of(fake))
    seen = 0
    for _ in range(data.draw(st.integers(0, 60))):
        fake.add(data.draw(changes(fake.state.changes.sequence + 1)))
        for kind, fields in report.changes(browser_of(fake)):
            seen += 1
            assert kind in ("dialog", "refused", "wire")
            if kind == "wire":
                assert fields["type"].startswith(("tab_opened", "download_"))
                assert "net::" not in str(fields), "an error is a fixed phrase"
    assert seen <= fake.state.changes.sequence
    assert not list(report.changes(browser_of(fake)))


def test_changes_before_the_driver_are_no_news() -> None:
    fake = FakeBrowser()
    fake.add(Change(sequence=1, kind="navigation", at=1.0, tab_id="t1"))
    assert Window(browser_of(fake)).report(browser_of(fake))["changes"] == []
    assert not list(ClaudeReport(browser_of(fake)).changes(browser_of(fake)))


def test_model_reads_each_change_although_the_sdk_reads_the_state_twice_per_call() -> None:
    fake = FakeBrowser()
    window = Window(browser_of(fake))
    fake.add(Change(sequence=1, kind="navigation", at=1.0, tab_id="t1"))
    lengths = [len(window.report(browser_of(fake))["changes"]) for _ in range(6)]
    assert lengths == [1, 1, 1, 1, 0, 0]


def test_first_tab_of_a_browser_is_no_news() -> None:
    fake = FakeBrowser()
    window = Window(None)
    for number in (1, 2):
        fake.add(Change(sequence=number, kind="tab_opened", at=1.0, tab_id=f"t{number}"))
    assert [one["tab_id"] for one in window.report(browser_of(fake))["changes"]] == ["t2"]


def test_changes_of_another_browser_begin_again() -> None:
    first, second = FakeBrowser(), FakeBrowser()
    second.state.task_id = "task-1#2"
    window = Window(browser_of(first))
    for fake in (first, second):
        fake.add(Change(sequence=1, kind="navigation", at=1.0, tab_id="t1"))
        report = window.report(browser_of(fake))
    assert [one["sequence"] for one in report["changes"]] == [1, 2]


def test_dialog_that_the_agent_answered_is_no_news_of_a_driver() -> None:
    fake = FakeBrowser()
    report = ClaudeReport(browser_of(fake))
    for number, closed_by in enumerate(("agent", "auto_policy", "watchdog"), 1):
        answered = dialog(closed_by, accepted=False)
        fake.add(
            Change(sequence=number, kind="dialog_answered", at=1.0, tab_id="t1", dialog=answered)
        )
    assert [kind for kind, _ in report.changes(browser_of(fake))] == ["dialog", "dialog"]
