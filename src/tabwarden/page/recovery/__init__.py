"""Check a tab after a deadline, a cancellation or a crash, and make it usable again.

``steps.py`` chooses each step, with no I/O. ``ladder.py`` and ``replace.py`` carry out the steps.
docs/evaluate.md lists the cost of each step, and docs/decisions/0009 has the reasons.

To change:

- how Tabwarden frees a page that hangs: ``steps.py`` (no I/O) has the table in docs/evaluate.md;
  ``ladder.py`` and ``replace.py`` take the steps; ``last_resorts.py`` chooses a process by its CPU
  usage; decision 0009 gives the reasons
- how a tab recovers after its page crashed: ``rescues.py``
- how and when Tabwarden stops a script that hangs: ``timing.py``, ``steps.py``;
  ``page/call/act.py`` reserves a part of the call's budget for that
"""

from tabwarden.page.recovery.ladder import CallStart
from tabwarden.page.recovery.last_resorts import find_stalled_gpu
from tabwarden.page.recovery.probe import find_silent, sessions_of, stop_scripts
from tabwarden.page.recovery.renderer import via_blank
from tabwarden.page.recovery.replace import is_navigating, is_stuck_between_documents, is_unloading
from tabwarden.page.recovery.rescues import (
    begin_crash_reload,
    begin_rescue,
    call_start,
    check_for_hang,
    may_hang,
    watch_for_relapse,
    watch_navigations,
)
from tabwarden.page.recovery.timing import OVERDUE_S, RESCUE_S

__all__ = [
    "OVERDUE_S",
    "RESCUE_S",
    "CallStart",
    "begin_crash_reload",
    "begin_rescue",
    "call_start",
    "check_for_hang",
    "find_silent",
    "find_stalled_gpu",
    "is_navigating",
    "is_stuck_between_documents",
    "is_unloading",
    "may_hang",
    "sessions_of",
    "stop_scripts",
    "via_blank",
    "watch_for_relapse",
    "watch_navigations",
]
