"""DevTools: what people who inspect pages ask: performance traces, memory, coverage, audits."""

from tabwarden.page.devtools import audit, coverage, memory, performance

__all__ = ["audit", "coverage", "memory", "performance"]
