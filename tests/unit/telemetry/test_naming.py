"""The names of a task's browsers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwarden.telemetry import browser_name, task_name


@given(task=st.from_regex(r"[A-Za-z0-9._~-]{1,20}", fullmatch=True), number=st.integers(1, 10**6))
def test_telemetry_labels_every_browser_of_a_task_with_the_tasks_name(
    task: str, number: int
) -> None:
    assert task_name(browser_name(task, number)) == task


@pytest.mark.parametrize("name", ["a3", "a3-2", "a#b", "#2", "a3#"])
def test_telemetry_task_name_keeps_other_names_unchanged(name: str) -> None:
    assert task_name(name) == name
