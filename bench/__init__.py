"""Benchmarks of Tabwarden and other tools, in one command: ``python -m bench``
(docs/benchmarks.md).

A bench is a module with a ``BENCH`` (``bench/bench.py``), which measures rows and defines target
figures. Each bench runs in its own process, and can also run alone: ``python -m bench.evaluate``.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Pages are served as tests serve them: tests/support/site.py.
sys.path.insert(0, str(ROOT / "tests"))
