"""All benches, in the order of the report."""

from __future__ import annotations

import importlib

from bench.bench import Bench

__all__ = ["NAMES", "bench_named"]

NAMES = (
    "evaluate", "actions", "snapshots", "snapshot_text", "dialogs", "loads", "recovery", "hangs",
    "startup", "cli", "tabs", "flood", "egress", "recording", "fleet_calls",
    "servers", "costs",
)  # fmt: skip


def bench_named(name: str) -> Bench:
    bench: Bench = importlib.import_module(f"bench.{name}").BENCH
    return bench
