"""Prompts that a script in the page keeps waiting (``js/prompts.js``): passkeys and file pickers.

The script reports each prompt through a binding that it hides from the page. It gets the answer as
an event from our isolated world.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from tabwarden.protocol import Command, page, runtime, web_authn
from tabwarden.supervisor.core.prompts.prompt_kind import PromptKind
from tabwarden.supervisor.core.state.policy import PromptsScript
from tabwarden.supervisor.core.state.prompts import Prompt
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import WORLD_NAME, ExecutionContext, SessionInfo
from tabwarden.supervisor.core.state.transition import Ask, Turn


class Report(msgspec.Struct, frozen=True):
    """A report of the script. Each kind of prompt uses some of the fields."""

    kind: Literal["opened", "ended", "declined"]
    number: int = 0
    type: str = ""
    origin: str = ""
    text: str = ""
    error: str = ""
    """The error that the page got."""
    name: str = ""
    accept: str = ""
    multiple: bool = False
    site: str = ""
    user: str = ""
    ids: tuple[str, ...] = ()
    new: bool = False
    attachment: str = ""


class PagePrompt(Prompt, frozen=True, kw_only=True):
    """A prompt that a script in the page may keep waiting."""

    number: int = 0
    """The prompt's number in its document; 0 if no script keeps it waiting."""


class WorldMade(Ask, frozen=True):
    """The reply to ``Page.createIsolatedWorld``, after which the answer can be sent."""

    prompt_id: str
    choice: str


def set_up(script: PromptsScript, session: SessionInfo) -> tuple[Command[Any], ...]:
    """Return the commands that make a target's pages announce prompts.

    While ``WebAuthn`` is enabled, a request for a passkey that the script misses opens no window,
    and ends no headless shell (153).
    """
    is_ours = script.is_ours and session.target_type == "page"
    return (
        runtime.AddBinding(name=script.binding),
        page.AddScriptToEvaluateOnNewDocument(source=script.source, run_immediately=True),
        *((web_authn.Enable(),) if is_ours else ()),
    )


def _reported(
    turn: Turn, event: runtime.BindingCalled, session_id: str | None
) -> tuple[SessionInfo, str, Report] | None:
    """Return the session, the frame and the report in an event; None if the event is not from the
    script."""
    script, session = turn.state.policy.prompts, turn.state.session(session_id)
    if script is None or event.name != script.binding or session is None:
        return None
    try:
        report = msgspec.json.decode(event.payload, type=Report)
    except msgspec.DecodeError:
        return None
    place = (session_id, event.execution_context_id)
    for frame_id, world in turn.state.contexts.items():
        if (world.session_id, world.context_id) == place:
            return session, frame_id, report
    return None


def follow(
    turn: Turn,
    event: runtime.BindingCalled,
    session_id: str | None,
    kind: PromptKind[Any],
    facts: Callable[[SupervisorState, Report], Mapping[str, Any] | None],
) -> None:
    """Open or remove a prompt of this kind, as the script reports.

    Args:
        facts: returns the fields of the prompt that a report is about; None if the report is about
            another kind.
    """
    found = _reported(turn, event, session_id)
    if found is None:
        return
    session, frame_id, report = found
    if report.kind == "ended":
        for one in turn.state.prompts_of(kind.prompt):
            is_over = (one.frame_id, one.number) == (frame_id, report.number)
            if is_over and one.answered and report.error:
                text = f"{one.id}: the page got {report.error}"
                turn.note(session.tab_id, "prompt", "", text, again=True)
        kind.drop(turn, lambda one: (one.frame_id, one.number) == (frame_id, report.number))
    elif report.kind == "opened" and (about := facts(turn.state, report)) is not None:
        kind.open(turn, session, frame_id=frame_id, number=report.number, **about)


def declined(turn: Turn, event: runtime.BindingCalled, session_id: str | None) -> None:
    """Add a note about a request that the script has declined."""
    found = _reported(turn, event, session_id)
    if found is not None and found[2].kind == "declined":
        session, _, report = found
        turn.note(session.tab_id, "declined", report.origin, report.text)


def answer_command(
    state: SupervisorState, world: ExecutionContext, number: int, choice: str
) -> runtime.Evaluate:
    """Return the command that sends an answer to the script; "" as the choice cancels the prompt.

    The command has a user gesture, because the page's call may need one.
    """
    assert state.policy.prompts is not None
    detail = msgspec.json.encode({"number": number, "choice": choice}).decode()
    event = f"{state.policy.prompts.event!r}, {{detail: {msgspec.json.encode(detail).decode()}}}"
    return runtime.Evaluate(
        expression=f"dispatchEvent(new CustomEvent({event}))",
        unique_context_id=world.unique_id,
        user_gesture=True,
        silent=True,
    )


def send_answer(turn: Turn, prompt: PagePrompt, choice: str) -> None:
    """Send an answer to the script that keeps a prompt waiting; "" cancels the prompt."""
    frame_id = prompt.frame_id or ""
    world = turn.state.worlds.get(frame_id)
    if world is not None:
        command = answer_command(turn.state, world, prompt.number, choice)
        turn.send(command, world.session_id)
    else:
        making = page.CreateIsolatedWorld(frame_id=frame_id, world_name=WORLD_NAME)
        turn.send(making, prompt.session_id, WorldMade(prompt.id, choice))


def _world_made(turn: Turn, ask: WorldMade, error: str | None) -> None:
    for prompt in turn.state.prompts:
        is_its = prompt.id == ask.prompt_id and prompt.frame_id in turn.state.worlds
        if is_its and error is None and isinstance(prompt, PagePrompt):
            send_answer(turn, prompt, ask.choice)


EVENTS = ((runtime.BindingCalled, declined),)
REPLIES = ((WorldMade, _world_made),)
