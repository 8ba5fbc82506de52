"""The guard finds a loss and not noise, and skips what it can't compare."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

import pytest

from bench.guard.command import guard
from bench.guard.compare import Compared
from bench.guard.measuring import Comparison, Extent, Unable, Worker
from bench.guard.recorded import Base, record, recorded

OWN = Path(sys.executable)
WITHOUT_TABWARDEN = Path(sys.base_prefix) / "bin" / "python3"


def compared(slower: float, limit: float = 1.1) -> Compared:
    """Times on a noisy machine, whose noise lasts longer than a turn."""
    draw = random.Random(7)
    found = Compared(limit)
    for _ in range(5):
        slow = [draw.choice((1, 1, 3)) for _ in range(16) for _ in range(2)]
        own, other = ([draw.gauss(10, 1) * phase for phase in slow] for _ in range(2))
        found.add([took * slower for took in own], other, calls=2)
    return found


@pytest.mark.parametrize(
    ("slower", "limit", "has_lost"),
    [(1.0, 1.1, False), (1.3, 1.1, True), (1.3, 1.5, False), (0.7, 1.1, False)],
)
def test_row_has_lost_if_its_ratio_exceeds_the_limit(
    slower: float, limit: float, has_lost: bool
) -> None:
    found = compared(slower, limit)
    low, high = found.interval()
    assert low < found.ratio < high
    assert found.ratio == pytest.approx(slower, rel=0.06)
    assert found.has_lost == has_lost
    assert ("SLOWER" in found.line("click")) == has_lost
    assert ("faster" in found.line("click")) == (slower < 0.8)


def test_guard_skips_a_recorded_commit_that_git_lacks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bench.guard.command.recorded", lambda: Base("0123abcd", {}))
    assert guard(None, quick=True) == 0
    assert "git does not have 0123abcd" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="0123abcd"):
        guard("0123abcd", quick=True)


def test_published_commit_is_recorded_without_accepted_losses(tmp_path: Path) -> None:
    page = tmp_path / "base.toml"
    record("0123abc", page)
    record("4567def and changes", page)
    assert recorded(page) == Base("0123abc", {})
    page.write_text(page.read_text() + '"click by ref" = 1.25  # it waits for its effect\n')
    assert recorded(page).accepted == {"click by ref": 1.25}
    assert recorded().commit


@pytest.mark.parametrize("other_can", [True, False])
def test_guard_leaves_out_what_the_other_version_can_not_do(other_can: bool) -> None:
    versions = (OWN, WITHOUT_TABWARDEN) if not other_can else (WITHOUT_TABWARDEN, OWN)
    comparison = Comparison(*versions, Base("0123abc", {}), "no browser", "no site")
    found = asyncio.run(comparison.measure(["import"], Extent(0, 1)))
    assert found == {}
    reasons = comparison.failed if other_can else comparison.left_out
    assert "No module named 'tabwarden'" in reasons["import"]
    assert len(comparison.failed) + len(comparison.left_out) == 1


def test_guard_measures_both_versions_in_turns() -> None:
    comparison = Comparison(OWN, OWN, Base("0123abc", {}), "no browser", "no site")
    found = asyncio.run(comparison.measure(["import"], Extent(0, 1)))["import"]
    assert [len(ratios) for ratios in found.ratios] == [8]
    assert len(found.own) == len(found.other) == 8


def test_worker_starts_again_after_its_process_ended() -> None:
    async def calls() -> None:
        worker = Worker(OWN, "no browser", "no site", Path.cwd())
        assert len(await worker.call("imported", 1)) == 1
        assert worker._process is not None
        worker._process.kill()
        with pytest.raises((Unable, OSError)):
            await worker.call("imported", 1)
        assert len(await worker.call("imported", 1)) == 1
        await worker.aclose()

    asyncio.run(calls())
