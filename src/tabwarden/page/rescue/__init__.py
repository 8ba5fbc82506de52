"""Rescue: after a deadline, a cancel or a crash, find out how a tab is, and bring it back.

A ladder, each rung bounded and written down (``ladder.py``, then ``renewal.py``); what it costs is
in docs/evaluate.md, and why it is so in docs/decisions/0009.
"""

from tabwarden.page.rescue.gpu import stalled
from tabwarden.page.rescue.held import watch_navigations
from tabwarden.page.rescue.probe import OVERDUE_S, sessions_of, silent, stop_scripts
from tabwarden.page.rescue.renderer import via_blank
from tabwarden.page.rescue.renewal import is_held, is_navigating, is_unloading
from tabwarden.page.rescue.rescues import (
    RESCUE_MS,
    begin_rescue,
    begin_revival,
    call_on,
    make_sure,
    may_hang,
    relapse_watched,
)
from tabwarden.page.rescue.story import Call, Rescue

__all__ = [
    "OVERDUE_S",
    "RESCUE_MS",
    "Call",
    "Rescue",
    "begin_rescue",
    "begin_revival",
    "call_on",
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
