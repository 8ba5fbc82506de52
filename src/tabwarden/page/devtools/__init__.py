"""DevTools: what people who inspect pages ask: performance traces, memory, coverage, audits."""

from tabwarden.page.devtools import performance

__all__ = ["performance"]
