"""DevTools: performance traces, memory, coverage and audits of a page.

To change:

- what a performance trace tells: ``vitals.py`` and ``work.py`` (pure) read the events that
  ``trace_spool.py`` keeps; ``performance_words.py`` makes sentences
"""

from tabwarden.page.devtools import audit, coverage, memory, performance

__all__ = ["audit", "coverage", "memory", "performance"]
