"""Repeat a trace through Tabwarden, or write a Python script that repeats it.

``plan_of`` turns a trace's calls into steps for any library. ``SCRIPTS`` has a writer for each kind
of script, and ``replay`` runs the steps.

To change:

- the content of a script from a trace: ``plan.py`` (pure) turns calls into steps;
  ``in_playwright/`` and ``tabwarden_script.py`` write them; ``replay.py`` runs them
"""

from collections.abc import Callable

from tabwarden.export.calls import RecordedCall, TraceCalls, read_trace
from tabwarden.export.plan import plan_of
from tabwarden.export.playwright_script import playwright_script, pytest_script
from tabwarden.export.replay import replay
from tabwarden.export.steps import Plan
from tabwarden.export.tabwarden_script import tabwarden_script

SCRIPTS: dict[str, Callable[[Plan], str]] = {
    "playwright": playwright_script,
    "tabwarden": tabwarden_script,
    "pytest": pytest_script,
}
"""The writer for each kind of script."""

__all__ = [
    "SCRIPTS",
    "Plan",
    "RecordedCall",
    "TraceCalls",
    "plan_of",
    "read_trace",
    "replay",
]
