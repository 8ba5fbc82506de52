"""Demo steps as data: order, dependencies, exit status. These steps need no browser."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from tabwarden.demo.chapters import LAST, STEPS
from tabwarden.demo.stage import Stage, Step
from tabwarden.demo.story import run_demo
from tabwarden.demo.surprise import expect
from tabwarden.demo.telling import Teller
from tabwarden.errors import InvalidArgument, LaunchFailed


async def well(stage: Stage) -> None:
    """Do nothing."""


async def badly(stage: Stage) -> None:
    raise LaunchFailed("No browser came up.", "Install one.")


async def surprisingly(stage: Stage) -> None:
    expect(False, "The shop is shut.")


def run(steps: tuple[Step, ...], output: Path) -> tuple[int, str]:
    out = io.StringIO()
    code = run_demo(
        headed=False, keep=False, output=output, steps=steps, teller=Teller(Console(file=out))
    )
    return code, out.getvalue()


def test_demo_prints_a_failed_steps_error_and_exits_with_status_1(tmp_path: Path) -> None:
    code, text = run((Step("open", "Launch", "", badly),), tmp_path)
    assert code == 1
    assert "✗ launch_failed: No browser came up.\n   Install one." in text
    assert "0 of 2 steps succeeded" in text


def test_demo_skips_steps_that_depend_on_a_failed_step_and_runs_the_others(tmp_path: Path) -> None:
    steps = (
        Step("first", "First", "", surprisingly),
        Step("second", "Second", "", well, ("first",)),
        Step("third", "Third", "", well, ("second",)),
        Step("other", "Other", "", well),
    )
    code, text = run(steps, tmp_path)
    assert code == 1
    assert "surprise: The shop is shut." in text
    assert 'skipped: it needs "First"' in text
    assert 'skipped: it needs "Second"' in text
    assert " ✓ Other" in text


def test_demo_creates_the_output_folder_and_rejects_an_existing_file_as_folder(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "a" / "b"
    run((), folder)
    assert folder.is_dir()
    file = tmp_path / "file"
    file.write_text("in the way")
    with pytest.raises(InvalidArgument, match="file"):
        run((), file)


def test_every_demo_step_has_a_unique_name_and_depends_only_on_earlier_steps() -> None:
    before: set[str] = set()
    for step in (*STEPS, LAST):
        assert step.name not in before
        assert before.issuperset(step.needs)
        before.add(step.name)
