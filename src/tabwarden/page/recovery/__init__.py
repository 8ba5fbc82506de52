"""Recovery: check a tab after a deadline, a cancel or a crash, and make it usable again.

``steps.py`` chooses each step, with no I/O. ``ladder.py`` and ``replace.py`` carry out the steps.
docs/evaluate.md lists the cost of each step, and docs/decisions/0009 has the reasons.
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
)
from tabwarden.page.recovery.stalled_commit import watch_navigations
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
