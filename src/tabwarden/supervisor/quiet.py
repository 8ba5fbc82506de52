"""Quiet: a tab's scripts switched off, for a page that hangs anew each time it is stopped.

``Emulation.setScriptExecutionDisabled`` reaches a renderer even while a script of it runs, and is
kept for the session over navigations, so whoever leaves the page switches it on again. Our own
scripts run all the same: the page can be read.
"""

from __future__ import annotations

from tabwarden.protocol import emulation
from tabwarden.supervisor.tabs import Tab
from tabwarden.supervisor.turn import Turn
from tabwarden.supervisor.values import replace

__all__ = ["begin", "committed", "set_scripts"]

_OFF = emulation.SetScriptExecutionDisabled(value=True)
_ON = emulation.SetScriptExecutionDisabled(value=False)


def set_scripts(turn: Turn, tab_id: str, *, on: bool) -> None:
    """Switch the scripts of a tab, in all its frames, on or off."""
    tab = turn.state.tabs.get(tab_id)
    if tab is None or tab.scripts_off is not on:
        return
    turn.put("tabs", tab_id, replace(tab, scripts_off=not on, scripts_switched=True))
    for session in turn.state.sessions.values():
        if session.tab_id == tab_id:
            turn.send(_ON if on else _OFF, session.session_id)


def committed(turn: Turn, tab: Tab) -> None:
    """Another document stands in a tab: whatever its renderer was left with, scripts run there.

    What was sent while one renderer took over from another may not be what the new one has: this
    document may run without scripts then, but none after it.
    """
    if tab.scripts_switched and not tab.scripts_off:
        turn.send(_ON, tab.session_id)


def begin(turn: Turn, session_id: str) -> None:
    """A frame that comes into a quiet tab is quiet too."""
    tab = turn.state.tab_of_session(session_id)
    if tab is not None and tab.scripts_off and tab.session_id != session_id:
        turn.send(_OFF, session_id)
