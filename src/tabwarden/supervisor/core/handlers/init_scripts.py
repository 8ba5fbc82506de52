"""Init scripts: the caller's scripts, which run in every document before the page's own.

The scripts are added to a target during set-up. The browser itself then runs them in each later
document of that target. In a browser that a person also uses, only the agent's own tabs get the
scripts.
"""

from __future__ import annotations

from tabwarden.protocol import page
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.policy import InitScript
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.transition import Ask, Turn
from tabwarden.supervisor.core.state.values import frozen, replace


class Added(Ask, frozen=True):
    """The reply with the ID that the browser assigned to a script in a target."""

    command = page.AddScriptToEvaluateOnNewDocument

    session_id: str
    script_id: str


def initial(state: SupervisorState, scripts: tuple[InitScript, ...]) -> SupervisorState:
    """Return a state that contains the scripts from the configuration."""
    by_id = {f"i-{number}": script for number, script in enumerate(scripts, 1)}
    return replace(state, init_scripts=frozen(by_id), next_init_script=len(scripts) + 1)


def begin(turn: Turn, session_id: str) -> None:
    """Add all scripts to a target in one of the agent's tabs."""
    session = turn.state.sessions[session_id]
    if turn.state.agents_part(session.tab_id) == "none":
        return
    for script_id, script in turn.state.init_scripts.items():
        _add(turn, session_id, script_id, script.source, now=session.waited)


def add(turn: Turn, input_: inputs.AddInitScript) -> None:
    """Add a script to all targets in the agent's tabs, for their later documents."""
    script_id = f"i-{turn.state.next_init_script}"
    turn.change(next_init_script=turn.state.next_init_script + 1)
    turn.put("init_scripts", script_id, input_.script)
    for session in turn.state.sessions.values():
        if turn.state.agents_part(session.tab_id) != "none":
            # A target that is not set up yet may not have loaded its first document.
            now = session.waited and not session.ready
            _add(turn, session.session_id, script_id, input_.script.source, now=now)


def remove(turn: Turn, input_: inputs.RemoveInitScript) -> None:
    """Remove a script from all targets. Documents that have already run the script keep its
    effects.
    """
    turn.drop("init_scripts", input_.script_id)
    for session in turn.state.sessions.values():
        identifier = session.init_scripts.get(input_.script_id)
        if identifier is not None:
            _remove(turn, session.session_id, identifier)


def added(
    turn: Turn, ask: Added, result: page.AddScriptToEvaluateOnNewDocumentResult | None
) -> None:
    """Record the ID that the browser assigned to an added script. If the script was removed in the
    meantime, remove it from the target too.
    """
    session = turn.state.sessions.get(ask.session_id)
    if session is None or result is None:
        return
    if ask.script_id not in turn.state.init_scripts:
        _remove(turn, ask.session_id, result.identifier)
        return
    known = frozen({**session.init_scripts, ask.script_id: result.identifier})
    turn.put("sessions", ask.session_id, replace(session, init_scripts=known))


def _add(turn: Turn, session_id: str, script_id: str, source: str, *, now: bool) -> None:
    command = page.AddScriptToEvaluateOnNewDocument(source=source, run_immediately=now)
    turn.send(command, session_id, Added(session_id, script_id))


def _remove(turn: Turn, session_id: str, identifier: str) -> None:
    turn.send(page.RemoveScriptToEvaluateOnNewDocument(identifier=identifier), session_id)


INPUTS = ((inputs.AddInitScript, add), (inputs.RemoveInitScript, remove))
REPLIES = ((Added, added),)
