"""DevTools: what people who inspect pages ask: performance traces, memory, coverage, audits."""

from tabwarden.page.devtools import audit, performance

__all__ = ["audit", "performance"]
