"""``tabwarden status``, ``sessions`` and ``daemon``: the processes behind the commands."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import click

from tabwarden.errors import EndpointUnreachable
from tabwarden.surfaces.cli.commands.base import Commands, Lists, print_table, shows_errors
from tabwarden.surfaces.cli.output import show
from tabwarden.surfaces.daemon.call import found, stop
from tabwarden.surfaces.daemon.locks import holder
from tabwarden.surfaces.daemon.paths import SessionPaths, session_names
from tabwarden.surfaces.daemon.timing import BRIEF_S, FIRST_ANSWER_S

session_option = click.option(
    "--session", envvar="TABWARDEN_SESSION", default="default", show_default=True, help="Name."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, errors too.")


@click.command()
@session_option
@json_option
@shows_errors
def status(session: str, as_json: bool) -> None:
    """Show a session: its browser, tabs, open dialogs and prompts. Starts no browser."""
    known = _status(SessionPaths(session), FIRST_ANSWER_S)
    nothing = [f"session {session}: no browser is running; start one with tabwarden open"]
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
    """Manage the processes that keep the browsers open between commands."""


@daemon.command("stop")
@session_option
@click.option("--all", "every", is_flag=True, help="Stop the daemons of all sessions.")
@json_option
@shows_errors
def stop_command(session: str, every: bool, as_json: bool) -> None:
    """End a session's daemon and its browser. Kill the daemon if it does not answer."""
    names = session_names() if every else [session]
    stopped = [name for name in names if stop(SessionPaths(name))]
    lines = [f"session {name}: stopped" for name in stopped] or ["no daemon was running"]
    show({"stopped": stopped}, lines, as_json=as_json)


def _status(place: SessionPaths, patience_s: float) -> dict[str, Any] | None:
    return ask(place, {"op": "status"}, patience_s)


def ask(
    place: SessionPaths, request: Mapping[str, Any], patience_s: float
) -> dict[str, Any] | None:
    """Send a request to a session's daemon and return its answer; None if no daemon is running.

    Raises:
        EndpointUnreachable: the daemon does not answer in time.
    """
    until = time.monotonic() + patience_s
    link = found(place, until)
    if link is None:
        return None
    try:
        link.send(dict(request))
        told = link.receive(until)
    except TimeoutError:
        raise EndpointUnreachable(
            f"The daemon of session {place.session!r} does not respond.",
            f"tabwarden daemon stop --session {place.session} ends it.",
        ) from None
    finally:
        link.close()
    return told["answer"] if told is not None else None


def _entry(session: str) -> dict[str, Any] | None:
    place = SessionPaths(session)
    try:
        known = _status(place, BRIEF_S)
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
        lines.append(f"dialog {words} waits in tab {dialog['tab_id']}: tabwarden dialog")
    return [
        *lines,
        *known["prompts"],
        *known["unmatched_routes"],
        *control_lines(known["control"], known["session"]),
    ]


def control_lines(control: Mapping[str, Any], session: str) -> list[str]:
    """Say who has control, and what waits for a person."""
    lines = []
    if (holder := control["holder"]) is not None:
        minutes = (time.time() - holder["since"]) / 60
        lines.append(f"{holder['name']} has had control for {minutes:.0f} minutes: "
                     "tabwarden control release takes it back")  # fmt: skip
    return lines + handoff_lines({"session": session, **one} for one in control["waiting_handoffs"])


def waiting_handoffs() -> list[dict[str, Any]]:
    """Return what agents ask of a person, in all sessions of the command line."""
    return [{"session": name, **one} for name in session_names() for one in _handoffs_of(name)]


def handoff_lines(waiting: Iterable[Mapping[str, Any]]) -> list[str]:
    """Say what agents ask of a person. An agent wrote the reason, so it goes out as JSON: a
    terminal would obey its control characters."""
    return [
        f"session {one['session']}: hand-off {one['id']} waits for a person: "
        f"{json.dumps(one['reason'])}"
        for one in waiting
    ]


def _handoffs_of(session: str) -> list[dict[str, Any]]:
    try:
        told = ask(SessionPaths(session), {"op": "status"}, BRIEF_S)
    except EndpointUnreachable:  # a daemon that hangs has nothing to show
        return []
    return told["control"]["waiting_handoffs"] if told is not None else []
