"""``tabwarden control`` and ``handoffs``: who has control, and what waits for a person."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import click

from tabwarden.errors import NotOpen
from tabwarden.surfaces.cli.commands.base import Commands, ListedCommands, shows_errors
from tabwarden.surfaces.cli.commands.daemons import (
    ask,
    control_lines,
    handoff_lines,
    json_option,
    session_option,
    waiting_handoffs,
)
from tabwarden.surfaces.cli.commands.live import own_name
from tabwarden.surfaces.cli.output import show, show_error
from tabwarden.surfaces.daemon.paths import SessionPaths
from tabwarden.surfaces.daemon.timing import FIRST_ANSWER_S


@click.group(cls=Commands, invoke_without_command=True)
@session_option
@json_option
@click.pass_context
@shows_errors
def control(context: click.Context, session: str, as_json: bool) -> None:
    """Show who has control of a session's browser: its agent or a person."""
    if context.invoked_subcommand is None:
        told = _asked(session, {}, as_json=as_json)
        lines = control_lines(told, session) or [f"session {session}: the agent has control"]
        show({"session": session, **told}, lines, as_json=as_json)


@control.command("release")
@session_option
@json_option
@shows_errors
def release(session: str, as_json: bool) -> None:
    """Take control back from a person and give it to the agent."""
    told = _asked(session, {"release": True}, as_json=as_json)
    lines = control_lines(told, session) or [f"session {session}: the agent has control"]
    show({"session": session, **told}, lines, as_json=as_json)


@click.group(cls=ListedCommands, invoke_without_command=True)
@json_option
@click.pass_context
@shows_errors
def handoffs(context: click.Context, as_json: bool) -> None:
    """List what agents ask of a person, in all command-line sessions."""
    if context.invoked_subcommand is not None:
        return
    waiting = waiting_handoffs()
    show(waiting, handoff_lines(waiting) or ["no agent asks for a person"], as_json=as_json)


@handoffs.command("done")
@click.argument("handoff_id", metavar="ID")
@click.argument("message", default="")
@session_option
@json_option
@shows_errors
def done(handoff_id: str, message: str, session: str, as_json: bool) -> None:
    """Tell the agent that you have done what it asked for, with an optional message."""
    _end(session, handoff_id, "done", message, as_json=as_json)


@handoffs.command("refuse")
@click.argument("handoff_id", metavar="ID")
@click.argument("message", default="")
@session_option
@json_option
@shows_errors
def refuse(handoff_id: str, message: str, session: str, as_json: bool) -> None:
    """Tell the agent that you will not do what it asked for, with an optional message."""
    _end(session, handoff_id, "refused", message, as_json=as_json)


def _end(session: str, handoff_id: str, outcome: str, message: str, *, as_json: bool) -> None:
    given = {"id": handoff_id, "outcome": outcome, "message": message, "name": own_name()}
    told = _asked(session, given, as_json=as_json)
    show({"session": session, **told}, [f"{handoff_id}: {outcome}"], as_json=as_json)


def _asked(session: str, given: Mapping[str, Any], *, as_json: bool) -> dict[str, Any]:
    told = ask(SessionPaths(session), {"op": "control", **given}, FIRST_ANSWER_S)
    if told is None:
        raise NotOpen(f"No browser is open in session {session!r}.", "Open one: tabwarden open URL")
    if "error" in told:
        sys.exit(show_error(told["error"], as_json=as_json))
    return told
