"""Saving: writes a trace within a call's time limit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from tabwarden.budget import Budget
from tabwarden.errors import Disabled, InvalidArgument
from tabwarden.files.download_folder import checked_filename
from tabwarden.page.task import ActionResult, Task, card
from tabwarden.recording.recorder import RECORDER, Recorder
from tabwarden.recording.settings import trace_folder
from tabwarden.results import TraceFile


async def _save(recorder: Recorder, budget: Budget, path: Path | None) -> TraceFile:
    """Save a trace, and say what it contains.

    Raises:
        InvalidArgument: the file can't be written.
        BudgetExceeded: it was not written in time.
    """
    async with budget.enforced():
        try:
            written, trace = await recorder.save(path)
        except OSError as error:
            raise InvalidArgument(
                f"Tabwarden can't write the trace: {error.strerror}.",
                "Free up space or choose another folder (configuration: trace_dir).",
                field="filename",
            ) from None
    seconds = round(trace.about["ended"] - trace.about["began"], 1)
    return {"path": str(written), "calls": len(trace.calls), "seconds": seconds}


@card(
    "trace",
    about="Save a trace of the last minutes.",
    permission="files",
    group="recording",
    gives=TraceFile,
    destructive=False,
    open_world=False,
    shows=False,
    turn=None,
)
async def trace(
    task: Task,
    budget: Budget,
    filename: Annotated[str | None, Field(description="Default: generated.")] = None,
) -> ActionResult:
    """Save what Tabwarden has recorded of this task as a trace, even if the page hangs or the
    browser is gone: the last minutes, or everything if ``record`` is set. ``value`` is
    ``{"path", "calls", "seconds"}``. Playwright's trace viewer opens the file. It contains no
    typed passwords, cookies or configured secrets, but it has pictures of the pages.

    Args:
        filename: a name in the folder of traces (``trace_dir`` of the configuration); generated
            by default.

    Raises:
        Denied: the name leads outside the folder. InvalidArgument: the file can't be written.
        Disabled: the configuration switches the recorder off.
    """
    recorder = RECORDER.of(task)
    if recorder is None:
        raise Disabled(
            "Nothing is recorded: the configuration switches the recorder off.",
            "Set browser.recorder.enabled: true, and open another browser.",
        )
    path = None
    if filename is not None:
        name = checked_filename(filename, "trace")
        path = trace_folder(task.config) / (name if name.endswith(".zip") else f"{name}.zip")
    return ActionResult(action="trace", value=await _save(recorder, budget, path))
