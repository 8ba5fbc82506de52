"""Saving: writes a trace within a call's time limit."""

from __future__ import annotations

from pathlib import Path

from tabwarden.budget import Budget
from tabwarden.errors import InvalidArgument
from tabwarden.recording.recorder import Recorder
from tabwarden.results import TraceFile


async def save_trace(recorder: Recorder, budget: Budget, path: Path | None) -> TraceFile:
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
