"""``tabwarden status``, ``sessions``, ``daemon``, ``control`` and ``handoffs``: the daemons behind
the commands, who has control of a browser, and the hand-offs that are waiting for a person.
"""

from __future__ import annotations

import getpass
import json
import sys
import time
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import click

from tabwarden.errors import EndpointUnreachable, NotOpen
from tabwarden.surfaces.cli.commands.base import (
    Commands,
    ListedCommands,
    Lists,
    json_option,
    print_table,
    session_option,
    shows_errors,
)
from tabwarden.surfaces.cli.output import show, show_error
from tabwarden.surfaces.daemon import FIRST_ANSWER_S
from tabwarden.surfaces.daemon.call import BRIEF_S, found, stop
from tabwarden.surfaces.daemon.locks import holder
from tabwarden.surfaces.daemon.paths import SessionPaths, session_names

_STATUS = {"op": "status"}


@click.command()
@session_option
@json_option
@shows_errors
def status(session: str, as_json: bool) -> None:
    """Show a session's browser, tabs, and open dialogs and prompts. Never starts a browser."""
    known = ask(SessionPaths(session), _STATUS, FIRST_ANSWER_S)
    nothing = [f"session {session}: no browser is running. To open one, run: tabwarden open"]
    data = {"session": session, "running": known is not None, **(known or {})}
    show(data, nothing if known is None else _lines(known), as_json=as_json)


@click.command(cls=Lists)
@json_option
@shows_errors
def sessions(as_json: bool) -> None:
    """List the sessions that have a daemon."""
    listed = [_entry(name) for name in session_names()]
    running = [entry for entry in listed if entry is not None]
    rows = [
        ("" if one["answers"] else "red", (one["session"], str(one["pid"] or ""), one["about"]))
        for one in running
    ]
    lines = [
        f"{name}  {f'process {pid}' if pid else 'no process'}  {about}"
        for _, (name, pid, about) in rows
    ]
    table = partial(print_table, ("Session", "Process", "Browser"), rows, unwrapped="Session")
    show(
        running, lines or ["no session is running"], as_json=as_json, table=table if rows else None
    )


@click.group(cls=Commands)
def daemon() -> None:
    """Manage the daemons, the processes that keep the browsers open between commands."""


@daemon.command("stop")
@session_option
@click.option("--all", "every", is_flag=True, help="Stop the daemons of all sessions.")
@json_option
@shows_errors
def stop_command(session: str, every: bool, as_json: bool) -> None:
    """Stop a session's daemon and close its browser. Kill the daemon if it is not responding."""
    names = session_names() if every else [session]
    stopped = [name for name in names if stop(SessionPaths(name))]
    lines = [f"session {name}: stopped" for name in stopped] or ["no daemon was running"]
    show({"stopped": stopped}, lines, as_json=as_json)


def ask(
    place: SessionPaths, request: Mapping[str, Any], patience_s: float
) -> dict[str, Any] | None:
    """Send a request to a session's daemon and return the daemon's response; None if no daemon is
    running.

    Raises:
        EndpointUnreachable: the daemon did not respond in time.
    """
    until = time.monotonic() + patience_s
    link = found(place, until)
    if link is None:
        return None
    try:
        link.send(dict(request))
        response = link.receive(until)
    except TimeoutError:
        raise EndpointUnreachable(
            f"The daemon of session {place.session!r} is not responding.",
            f"To stop it, run: tabwarden daemon stop --session {place.session}",
        ) from None
    finally:
        link.close()
    return response["answer"] if response is not None else None


def _entry(session: str) -> dict[str, Any] | None:
    place = SessionPaths(session)
    try:
        known = ask(place, _STATUS, BRIEF_S)
    except EndpointUnreachable as error:
        pid = holder(place.life)
        return {"session": session, "pid": pid, "about": error.message, "answers": False}
    if known is None:
        return None
    about = known["state"] or "no browser is open"
    return {"session": session, "pid": known["pid"], "about": about, "answers": True}


def _lines(known: Mapping[str, Any]) -> list[str]:
    minutes = (time.time() - known["began"]) / 60
    lines = [
        f"session {known['session']}: process {known['pid']}, {known['build']}, "
        f"for {minutes:.0f} minutes",
        known["state"] or "no browser is open",
    ]
    for tab in known["tabs"]:
        mark = "*" if tab["active"] else " "
        lines.append(f"{mark} {tab['tab_id']} {json.dumps(tab['title'])} {json.dumps(tab['url'])}")
    for dialog in known["dialogs"]:
        words = f"{dialog['id']}, {dialog['type']} {json.dumps(dialog['message'])}"
        lines.append(
            f"dialog {words} is waiting in tab {dialog['tab_id']}. To answer, run: tabwarden dialog"
        )
    return [
        *lines,
        *known["prompts"],
        *known["unmatched_routes"],
        *control_lines(known["control"], known["session"]),
    ]


def control_lines(control: Mapping[str, Any], session: str) -> list[str]:
    """Return lines that say which person has control, and which hand-offs are waiting."""
    lines = []
    if (holder := control["holder"]) is not None:
        minutes = (time.time() - holder["since"]) / 60
        lines.append(f"{holder['name']} has had control for {minutes:.0f} minutes. To "
                     "take it back, run: tabwarden control release")  # fmt: skip
    return lines + handoff_lines({"session": session, **one} for one in control["waiting_handoffs"])


def waiting_handoffs() -> list[dict[str, Any]]:
    """Return the waiting hand-offs in all command-line sessions."""
    return [{"session": name, **one} for name in session_names() for one in _handoffs_of(name)]


def handoff_lines(waiting: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a line for each waiting hand-off. The agent's text is written as JSON, because a
    terminal would obey control characters in it.
    """
    return [
        f"session {one['session']}: hand-off {one['id']} is waiting for a person: "
        f"{json.dumps(one['reason'])}"
        for one in waiting
    ]


def _handoffs_of(session: str) -> list[dict[str, Any]]:
    try:
        state = ask(SessionPaths(session), _STATUS, BRIEF_S)
    except EndpointUnreachable:  # a daemon that hangs is omitted
        return []
    return state["control"]["waiting_handoffs"] if state is not None else []


@click.group(cls=Commands, invoke_without_command=True)
@session_option
@json_option
@click.pass_context
@shows_errors
def control(context: click.Context, session: str, as_json: bool) -> None:
    """Show who has control of a session's browser: its agent or a person."""
    if context.invoked_subcommand is None:
        _show_control(session, {}, as_json=as_json)


@control.command("release")
@session_option
@json_option
@shows_errors
def release(session: str, as_json: bool) -> None:
    """Take control back from a person and give it to the agent."""
    _show_control(session, {"release": True}, as_json=as_json)


def _show_control(session: str, request: Mapping[str, Any], *, as_json: bool) -> None:
    state = _control_request(session, request, as_json=as_json)
    lines = control_lines(state, session) or [f"session {session}: the agent has control"]
    show({"session": session, **state}, lines, as_json=as_json)


@click.group(cls=ListedCommands, invoke_without_command=True)
@json_option
@click.pass_context
@shows_errors
def handoffs(context: click.Context, as_json: bool) -> None:
    """List the hand-offs that are waiting for a person, in all command-line sessions."""
    if context.invoked_subcommand is not None:
        return
    waiting = waiting_handoffs()
    show(waiting, handoff_lines(waiting) or ["no hand-off is waiting"], as_json=as_json)


def _ends_handoff(name: str, outcome: str, about: str) -> None:
    """Add the command ``name`` to ``handoffs``. It ends a hand-off with ``outcome``."""

    @handoffs.command(name, help=about)
    @click.argument("handoff_id", metavar="ID")
    @click.argument("message", default="")
    @session_option
    @json_option
    @shows_errors
    def end(handoff_id: str, message: str, session: str, as_json: bool) -> None:
        request = {"id": handoff_id, "outcome": outcome, "message": message, "name": own_name()}
        state = _control_request(session, request, as_json=as_json)
        show({"session": session, **state}, [f"{handoff_id}: {outcome}"], as_json=as_json)


_WITH_MESSAGE = "its request. You can add a message."
_ends_handoff("done", "done", f"Tell the agent that you have fulfilled {_WITH_MESSAGE}")
_ends_handoff("refuse", "refused", f"Tell the agent that you refuse {_WITH_MESSAGE}")


def own_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "A person"


def _control_request(session: str, request: Mapping[str, Any], *, as_json: bool) -> dict[str, Any]:
    response = ask(SessionPaths(session), {"op": "control", **request}, FIRST_ANSWER_S)
    if response is None:
        raise NotOpen(
            f"No browser is open in session {session!r}.", "To open one, run: tabwarden open URL"
        )
    if "error" in response:
        sys.exit(show_error(response["error"], as_json=as_json))
    return response
