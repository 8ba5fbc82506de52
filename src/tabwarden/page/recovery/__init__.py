"""Recovery: check a tab after a deadline, a cancel or a crash, and make it usable again.

``steps.py`` chooses each step, with no I/O. ``ladder.py`` and ``replace.py`` carry out the steps.
docs/evaluate.md lists the cost of each step, and docs/decisions/0009 has the reasons.

To change:

- how Tabwarden frees a page that hangs: ``steps.py`` (pure) has the table of docs/evaluate.md;
  ``ladder.py`` and ``replace.py`` take the steps; ``last_resorts.py`` picks a process by its CPU
  usage; decision 0009 gives the reasons
- how a tab recovers after its page crashed: ``crash_reload.py``
- how and when Tabwarden stops a script that hangs: ``timing.py``, ``steps.py``;
  ``page/call/act.py`` reserves a part of the call's budget for that
"""

from tabwarden.page.recovery.ladder import CallStart
from tabwarden.page.recovery.last_resorts import stalled
from tabwarden.page.recovery.probe import sessions_of, silent, stop_scripts
from tabwarden.page.recovery.renderer import via_blank
from tabwarden.page.recovery.replace import is_held, is_navigating, is_unloading
from tabwarden.page.recovery.rescues import (
    begin_crash_reload,
    begin_rescue,
    call_start,
    make_sure,
    may_hang,
    relapse_watched,
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
    "is_held",
    "is_navigating",
    "is_unloading",
    "make_sure",
    "may_hang",
    "relapse_watched",
    "sessions_of",
    "silent",
    "stalled",
    "stop_scripts",
    "via_blank",
    "watch_navigations",
]
