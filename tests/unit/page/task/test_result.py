"""Reported news: each item once, with bounded records."""

from __future__ import annotations

from tabwarden import results
from tabwarden.page.task import download_json
from tabwarden.page.task.result import Seen
from tabwarden.supervisor.core.state.dialog_values import ClosedDialog
from tabwarden.supervisor.core.state.downloads import Download
from tabwarden.supervisor.core.state.state import SupervisorState

KEPT = 20


def closed(number: int) -> ClosedDialog:
    return ClosedDialog(
        id=f"d-{number}", type="alert", message="Hi", default_prompt="", frame_id="F",
        session_id="S", target_id="T", tab_id="t1", url="", opened_at=0.0, closed_at=0.0,
        closed_by="agent", accepted=True, prompt_text=None, channel="native",
    )  # fmt: skip


def download(number: int, status: str) -> Download:
    return Download(
        id=f"dl-{number}", guid=f"g{number}", tab_id="t1", url="https://a.test/f",
        suggested_filename="f", filename="f", status=status,
    )  # fmt: skip


def test_result_news_reports_each_dialog_and_download_once() -> None:
    seen, told = Seen(), []
    for n in range(200):
        recent = tuple(closed(m) for m in range(max(0, n - KEPT), n))
        downloads = tuple(
            download(m, "in_progress" if m == n - 1 else "completed")
            for m in range(max(0, n - KEPT), n)
        )
        news = seen.news(SupervisorState(recent_dialogs=recent, downloads=downloads))
        told += [one["id"] for one in news.dialogs]
        told += [(one["id"], one["status"]) for one in news.downloads]
    numbers = range(199)
    assert told.count("d-7") == 1
    assert [one for one in told if isinstance(one, str)] == [f"d-{n}" for n in numbers]
    assert [one for one in told if one == ("dl-7", "completed")] == [("dl-7", "completed")]
    assert len(seen._dialogs) <= 2 * KEPT
    assert len(seen._reported) <= 3 * KEPT


def test_result_news_omits_a_dialog_that_the_agent_answered() -> None:
    seen = Seen()
    seen.told("d-1")
    seen.answered("d-1")
    assert not seen.news(SupervisorState(recent_dialogs=(closed(1), closed(2)))).dialogs[1:]
    assert not seen.news(SupervisorState(recent_dialogs=(closed(1), closed(2)))).dialogs


def test_download_json_has_the_documented_fields() -> None:
    assert list(download_json(download(1, "failed"))) == list(results.Download.__annotations__)
