"""``tabwarden status``, ``sessions`` and ``daemon``: what runs behind the commands."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from functools import update_wrapper
from typing import Any, TypeVar

import click

from tabwarden.errors import EndpointUnreachable, TabwardenError
from tabwarden.surfaces.cli.acting import show_error
from tabwarden.surfaces.cli.misuse import Commands
from tabwarden.surfaces.cli.terminal import harmless
from tabwarden.surfaces.daemon.call import BRIEF_S, PATIENCE_S, found, stop
from tabwarden.surfaces.daemon.locks import holder
from tabwarden.surfaces.daemon.places import Place, session_names

__all__ = ["daemon", "sessions", "status"]

F = TypeVar("F", bound=Callable[..., Any])

_session = click.option(
    "--session", envvar="TABWARDEN_SESSION", default="default", show_default=True, help="Which."
)
_json = click.option("--json", "as_json", is_flag=True, help="As JSON, errors too.")


def _shown(function: F) -> F:
    """Errors as the commands of actions show them."""

    def run(*args: Any, as_json: bool, **kwargs: Any) -> Any:
        try:
            return function(*args, as_json=as_json, **kwargs)
        except TabwardenError as error:
            sys.exit(show_error(error.to_dict(), as_json=as_json))

    return update_wrapper(run, function)  # type: ignore[return-value]


@click.command()
@_session
@_json
@_shown
def status(session: str, as_json: bool) -> None:
    """Show a session: its browser, its tabs, and what waits for an answer. Starts nothing."""
    known = _status(Place(session), PATIENCE_S)
    if as_json:
        click.echo(json.dumps({"session": session, "running": known is not None, **(known or {})}))
    elif known is None:
        click.echo(f"session {session}: nothing runs; tabwarden open starts a browser")
    else:
        words = "\n".join(_lines(known))
        click.echo(harmless(words) if sys.stdout.isatty() else words)


@click.command()
@_json
@_shown
def sessions(as_json: bool) -> None:
    """List the sessions that have a daemon."""
    listed = [_entry(name) for name in session_names()]
    running = [entry for entry in listed if entry is not None]
    if as_json:
        click.echo(json.dumps(running))
    elif not running:
        click.echo("no session runs")
    elif sys.stdout.isatty():
        _print_table(running)
    else:
        for entry in running:
            process = f"process {entry['pid']}" if entry["pid"] else "no process"
            click.echo(f"{entry['session']}  {process}  {entry['about']}")


@click.group(cls=Commands)
def daemon() -> None:
    """The processes that hold the browsers between commands."""


@daemon.command("stop")
@_session
@click.option("--all", "every", is_flag=True, help="Those of all sessions.")
@_json
@_shown
def stop_command(session: str, every: bool, as_json: bool) -> None:
    """End a session's daemon and its browser; by force if it does not answer."""
    names = session_names() if every else [session]
    stopped = [name for name in names if stop(Place(name))]
    if as_json:
        click.echo(json.dumps({"stopped": stopped}))
    else:
        click.echo("\n".join(f"session {name}: stopped" for name in stopped) or "nothing ran")


def _status(place: Place, patience_s: float) -> dict[str, Any] | None:
    until = time.monotonic() + patience_s
    link = found(place, until)
    if link is None:
        return None
    try:
        link.send({"op": "status"})
        told = link.receive(until)
    except TimeoutError:
        raise EndpointUnreachable(
            f"The daemon of session {place.session!r} does not answer.",
            f"tabwarden daemon stop --session {place.session} ends it.",
        ) from None
    finally:
        link.close()
    return told["answer"] if told is not None else None


def _entry(session: str) -> dict[str, Any] | None:
    place = Place(session)
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
    lines += [
        f"file chooser {chooser['id']} waits in tab {chooser['tab_id']}: tabwarden upload"
        for chooser in known["file_choosers"]
    ]
    for challenge in known["auth_challenges"]:
        asks = json.dumps(challenge["origin"])
        lines.append(f"password prompt {challenge['id']} of {asks} waits: tabwarden auth")
    return lines


def _print_table(running: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None)
    for heading in ("Session", "Process", "Browser"):
        table.add_column(heading, overflow="fold")
    for entry in running:
        style = "" if entry["answers"] else "red"
        pid = str(entry["pid"] or "")
        table.add_row(entry["session"], pid, Text(harmless(entry["about"])), style=style)
    Console().print(table)
