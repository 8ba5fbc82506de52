"""A process that leaks a little in each round, as requested, and prints the verdict."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from soak.gauges import ALLOWED, sample
from soak.judge import judge

from tabwarden.budget import Budget
from tabwarden.supervisor.runtime import engine_loop

__all__ = ["LEAKS"]

_ROUNDS = 12


def _megabyte(kept: ExitStack, folder: Path) -> None:
    kept.callback(bytearray(os.urandom(1024) * 1024).clear)


def _blocks(kept: ExitStack, folder: Path) -> None:
    kept.callback([float(n) for n in range(2_000)].clear)


def _objects(kept: ExitStack, folder: Path) -> None:
    kept.callback([Budget(1_000) for _ in range(10)].clear)


def _task(kept: ExitStack, folder: Path) -> None:
    kept.callback(engine_loop().submit(asyncio.sleep(600)).cancel)
    engine_loop().run_sync(asyncio.sleep(0))


def _future(kept: ExitStack, folder: Path) -> None:
    async def make() -> asyncio.Future[None]:
        return asyncio.get_running_loop().create_future()

    kept.callback(engine_loop().run_sync(make()).cancel)


def _descriptor(kept: ExitStack, folder: Path) -> None:
    kept.callback(os.close, os.open(os.devnull, os.O_RDONLY))


def _thread(kept: ExitStack, folder: Path) -> None:
    over = threading.Event()
    threading.Thread(target=over.wait, daemon=True).start()
    kept.callback(over.set)


def _process(kept: ExitStack, folder: Path) -> None:
    child = kept.enter_context(subprocess.Popen(["sleep", "600"]))
    kept.callback(child.kill)


def _file(kept: ExitStack, folder: Path) -> None:
    (folder / f"{len(list(folder.iterdir()))}").touch()


LEAKS: dict[str, Callable[[ExitStack, Path], None]] = {
    "rss_kib": _megabyte,
    "blocks": _blocks,
    "objects": _objects,
    "tasks": _task,
    "futures": _future,
    "descriptors": _descriptor,
    "threads": _thread,
    "processes": _process,
    "files": _file,
}
"""One leak for each gauge without a browser, by the gauge's name."""


def _grown(folder: Path, leaks: list[str]) -> list[str]:
    with ExitStack() as kept:
        engine_loop().run_sync(asyncio.sleep(0))
        sample(folder)
        samples = []
        for _ in range(_ROUNDS):
            for leak in leaks:
                LEAKS[leak](kept, folder)
            samples.append(sample(folder).as_dict())
    return [
        name
        for name, allowed in ALLOWED.items()
        if judge(name, [one[name] for one in samples], allowed).grows
    ]


if __name__ == "__main__":
    sys.stdout.write(" ".join(_grown(Path(sys.argv[1]), sys.argv[2:])))
