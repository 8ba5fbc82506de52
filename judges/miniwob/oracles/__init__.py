"""The oracles: from a goal and outlines to verbs, by family of tasks. ``ORACLES`` has them all."""

from importlib import import_module
from pathlib import Path

from judges.miniwob.oracles.registry import ORACLES

for _module in sorted(Path(__file__).parent.glob("[a-z]*.py")):
    import_module(f"{__name__}.{_module.stem}")

__all__ = ["ORACLES"]
