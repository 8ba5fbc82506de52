"""What Tabwarden costs, beside others, in one command: ``python -m bench`` (docs/benchmarks.md).

A bench is a module with a ``BENCH`` (``bench/bench.py``); it measures rows, and says which figures
are to be reached. Each runs in a process of its own, alone too: ``python -m bench.evaluate``.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Pages are served as tests serve them: tests/support/site.py.
sys.path.insert(0, str(ROOT / "tests"))
