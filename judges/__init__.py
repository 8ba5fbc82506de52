"""Evaluations of Tabwarden: third-party tests and tasks, and comparisons with other tools.

``judge_*`` and ``try_*`` run the tests and programs of other products, or try what users install.
``miniwob``, ``duel``, ``drivers``, ``switching`` and ``fifty`` give Tabwarden and other tools the
same work. Run one from the root of the repository: ``python -m judges.duel --help``. Only
``tests/judges`` imports this package, and the sdist has neither.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# For tests/support; last, so that they hide nothing of the checkouts that judges run.
sys.path += [str(ROOT / "tests"), str(ROOT / "tools")]
