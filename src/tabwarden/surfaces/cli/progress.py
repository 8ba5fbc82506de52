"""Show a long command's progress on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.filesize import decimal
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Column

from tabwarden.surfaces.cli.output import harmless


class Waiting:
    """A progress bar: the received bytes of a download, or the used part of the call's budget."""

    def __init__(self, console: Console | None = None) -> None:
        words = Column(no_wrap=True, overflow="ellipsis", ratio=1)
        self._bar = Progress(
            TextColumn("{task.description}", markup=False, table_column=words),
            BarColumn(),
            TextColumn("{task.fields[amount]}", markup=False),
            console=console or Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("", total=None, amount="")

    def show(self, progress: dict[str, Any]) -> None:
        download = progress.get("download")
        if download is not None:
            words = f"download {download['filename']}"
            done, total = download["received_bytes"], download["size"]
            amount = f"{decimal(done)} of {decimal(total)}" if total else decimal(done)
        else:
            words, done, total = progress["doing"], progress["elapsed_ms"], progress["budget_ms"]
            amount = f"{done / 1000:.0f} s of {total / 1000:g} s"
        self._bar.update(
            self._task,
            description=harmless(words),
            completed=done,
            total=total or None,
            amount=amount,
        )
        self._bar.start()

    def end(self) -> None:
        self._bar.stop()


@contextmanager
def working(words: str) -> Iterator[None]:
    """Show a message on a terminal during the block."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(words):
        yield
