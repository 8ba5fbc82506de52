"""Whether a server accepts one more browser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwarden.actions import Limits
from tabwarden.actions.sessions.admission import Usage, refusal
from tabwarden.config import ServerConfig


def limits(max_tasks: int = 2, min_free_memory_mb: float = 500) -> Limits:
    return Limits(max_tasks=max_tasks, min_free_memory_mb=min_free_memory_mb)


def usage(opened: int = 0, opening: int = 0, free: float | None = 10_000) -> Usage:
    return Usage(open=opened, opening=opening, free_memory_mb=free)


def test_admission_accepts_a_task_on_an_empty_server() -> None:
    assert refusal(limits(), usage()) is None


@pytest.mark.parametrize(("opened", "opening"), [(2, 0), (1, 1), (0, 2)])
def test_admission_counts_browsers_that_are_still_opening(opened: int, opening: int) -> None:
    full = refusal(limits(), usage(opened, opening))
    assert full is not None
    assert full.to_dict()["data"] == {"retry_after_s": 5, "field": "task", "reason": "tasks"}
    assert "server.max_tasks" in full.message


def test_low_memory_error_contains_the_free_memory_and_the_setting() -> None:
    full = refusal(limits(), usage(free=310.4))
    assert full is not None
    assert full.data["reason"] == "memory"
    assert "310 MB" in full.message
    assert "500 MB" in full.message
    assert "server.min_free_memory_mb" in full.message


def test_admission_reserves_memory_for_browsers_still_opening() -> None:
    assert refusal(limits(9), usage(opening=0, free=700)) is None
    assert refusal(limits(9), usage(opening=2, free=700)) is not None


@given(free=st.none() | st.floats(0, 1e6), opened=st.integers(0, 20), opening=st.integers(0, 20))
def test_admission_without_a_memory_limit_applies_only_the_task_limit(
    free: float | None, opened: int, opening: int
) -> None:
    full = refusal(limits(9, 0), usage(opened, opening, free))
    assert (full is None) == (opened + opening < 9)


def test_admission_skips_the_memory_check_if_the_system_reports_no_free_memory() -> None:
    assert refusal(limits(), usage(free=None)) is None


def test_limits_convert_the_configured_idle_minutes_to_seconds() -> None:
    assert Limits.of(ServerConfig(idle_minutes=2, max_tasks=7)) == Limits(
        max_tasks=7, min_free_memory_mb=512, idle_s=120
    )
