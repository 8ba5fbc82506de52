"""DevTools: performance traces, memory, coverage and audits of a page.

To change:

- the findings of a performance trace: ``vitals.py`` and ``work.py`` (no I/O) read the events that
  ``trace_spool.py`` keeps; ``performance_words.py`` writes the sentences
"""

from tabwarden.page.devtools import audit, coverage, memory, performance

__all__ = ["audit", "coverage", "memory", "performance"]
