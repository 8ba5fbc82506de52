"""Turn off a tab's scripts, for a page that hangs again each time its script is stopped.

``Emulation.setScriptExecutionDisabled`` reaches a renderer even while a script runs. The setting
survives navigations, so we turn scripts on again when the tab leaves the page. Our own scripts
still run, so the page can be read.
"""

from __future__ import annotations

from tabwarden.protocol import emulation
from tabwarden.supervisor.core.state import Tab, Turn, inputs, replace

_OFF = emulation.SetScriptExecutionDisabled(value=True)
_ON = emulation.SetScriptExecutionDisabled(value=False)


def set_scripts(turn: Turn, given: inputs.SetScripts) -> None:
    """Turn the scripts of a tab on or off, in all its frames."""
    tab = turn.state.tabs.get(given.tab_id)
    if tab is None or tab.scripts_off is not given.on:
        return
    turn.put("tabs", tab.tab_id, replace(tab, scripts_off=not given.on, scripts_switched=True))
    for session in turn.state.sessions.values():
        if session.tab_id == tab.tab_id:
            turn.send(_ON if given.on else _OFF, session.session_id)


def committed(turn: Turn, tab: Tab) -> None:
    """A tab has another document, so turn its scripts on again. If one renderer is just replacing
    another, the command may not reach the new one. Then this document may stay without scripts, but
    later documents have them."""
    if tab.scripts_switched and not tab.scripts_off:
        turn.send(_ON, tab.session_id)


def begin(turn: Turn, session_id: str) -> None:
    """Turn off scripts for a frame that joins a tab with scripts off."""
    tab = turn.state.tab_of_session(session_id)
    if tab is not None and tab.scripts_off and tab.session_id != session_id:
        turn.send(_OFF, session_id)


INPUTS = ((inputs.SetScripts, set_scripts),)
