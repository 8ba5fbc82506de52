"""``bench/base.toml``: the commit with which CI compares, and the losses that we accept.

CI compares with this commit and not with the one before, so that several small losses add up.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

from bench import ROOT

__all__ = ["Base", "record", "recorded"]

PAGE = ROOT / "bench" / "base.toml"
HEADER = """\
# `make bench ARGS="--against"` (the last step of CI) compares this checkout with this commit.
# `make bench ARGS="--doc docs/benchmarks.md"` writes this file again, without accepted losses.
"""
ACCEPTED = """
# How many times its old time a row may take, with the reason. Other rows may take 1.1.
[accepted]
"""


class Base(NamedTuple):
    """What to compare with."""

    commit: str
    accepted: dict[str, float]


def recorded(page: Path = PAGE) -> Base:
    told = tomllib.loads(page.read_text("utf-8"))
    return Base(told["commit"], told["accepted"])


def record(commit: str, page: Path = PAGE) -> None:
    """Compare with ``commit`` from now on, unless the source differed from it."""
    if re.fullmatch(r"[0-9a-f]{7,40}", commit):
        page.write_text(f'{HEADER}commit = "{commit}"\n{ACCEPTED}', "utf-8")
