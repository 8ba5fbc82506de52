"""The guard: measures another commit and this checkout in turns, and reports what became slower."""

from bench.guard.command import guard
from bench.guard.recorded import record

__all__ = ["guard", "record"]
