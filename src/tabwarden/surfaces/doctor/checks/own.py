"""Check Tabwarden's configuration, its daemons, and the clock."""

from __future__ import annotations

import os
import shlex
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from tabwarden import config
from tabwarden.errors import Denied, EndpointUnreachable, InvalidArgument
from tabwarden.surfaces.command_table import table
from tabwarden.surfaces.daemon.call import BRIEF_S, found
from tabwarden.surfaces.daemon.locks import holder
from tabwarden.surfaces.daemon.paths import SessionPaths, runtime_folder, session_names
from tabwarden.surfaces.doctor.finding import Finding, Patient, ok, problem, warning


def check_configuration(patient: Patient) -> list[Finding]:
    """Report the error that every command gets when it reads the configuration."""
    fault = patient.fault
    if fault is not None:
        field = str(fault.data.get("field", "config"))
        if field.upper().startswith("TABWARDEN_"):
            command = f"unset {field}"
        elif "variable TABWARDEN_" in fault.hint:
            command = f"unset {fault.hint.partition('variable ')[2].rstrip('.')}"
        elif field == "config" or "://" in field:
            command = f'"${{EDITOR:-vi}}" {shlex.quote(str(patient.file))}'
        else:
            at = f" --config {shlex.quote(str(patient.file))}"
            command = f"tabwarden config unset {shlex.quote(field)}{at}"
        message = f"{fault.message} {fault.hint} The other checks use the default configuration."
        return [problem(message, command, **fault.data)]
    there = os.path.isfile(patient.file)
    words = str(patient.file) if there else f"{patient.file} does not exist, so the defaults apply."
    data = {"path": str(patient.file), "exists": there}
    if not patient.config.browser.enabled:
        words = "browser.enabled is off, so Tabwarden offers no tools and rejects all calls."
        return [warning(words, "tabwarden config set browser.enabled true", **data)]
    return [ok(words, **data)]


_ELSEWHERE = 'export TABWARDEN_RUNTIME_DIR="$HOME/.tabwarden-run"'


def check_daemons(_: Patient) -> list[Finding]:
    """Check that each session's daemon is running, responds, and has the same version as this
    program.
    """
    try:
        places = _places()
    except Denied as error:
        return [problem(error.message, _ELSEWHERE)]
    looked = [finding for place in places if (finding := _looked_at(place)) is not None]
    return looked or [ok("No daemon is running.")]


def _places() -> list[SessionPaths]:
    if os.path.exists(runtime_folder()):
        SessionPaths("default")  # raises if other users control the folder
    places = []
    for name in session_names():
        try:
            places.append(SessionPaths(name))
        except InvalidArgument:
            continue  # the file does not belong to a session
    return places


def _looked_at(place: SessionPaths) -> Finding | None:
    """Return the finding for a daemon; None if the daemon has exited in the meantime."""
    session, stop = place.session, f"tabwarden daemon stop --session {place.session}"
    pid = holder(place.life)
    if pid is None:
        if not os.path.exists(place.door):
            return None
        words = f"The daemon of session {session} ended unexpectedly and left its socket behind."
        return warning(words, stop, session=session)
    try:
        link = found(place, time.monotonic() + BRIEF_S)
    except EndpointUnreachable as error:
        return problem(error.message, stop, session=session, pid=pid)
    if link is None:
        words = f"The daemon of session {session} (process {pid}) is starting or ending."
        return ok(words, session=session, pid=pid)
    link.close()
    theirs, ours, is_open = link.hello["build"], table()["build"], link.hello["open"]
    facts = {"session": session, "pid": pid, "build": theirs, "open": is_open}
    if theirs != ours:
        words = (
            f"The daemon of session {session} (process {pid}) has a different version ({theirs}; "
            f"this is {ours}). The next command replaces the daemon and loses its pages."
        )
        return warning(words, stop, **facts)
    browser = "a browser is open" if is_open else "no browser is open"
    words = f"The daemon of session {session} (process {pid}) is responding, and {browser}."
    return ok(words, **facts)


CLOCK_SLACK_S = 60.0
"""How far a file's modification time may be ahead of the clock."""

_MENDS = {"darwin": "sudo sntp -sS time.apple.com", "win32": "w32tm /resync"}


def check_clock(_: Patient) -> list[Finding]:
    """Check that the current time is not before the modification times of the installed files."""
    folder = Path(config.__file__).parent
    newest = max(one.stat().st_mtime for one in (folder, *folder.iterdir()))
    return [judged(time.time(), newest)]


def judged(now: float, installed: float) -> Finding:
    """Compare the clock's time with the installation time (both as in ``time.time``)."""
    time_utc = datetime.fromtimestamp(now, UTC).isoformat(" ", "seconds").removesuffix("+00:00")
    if now < installed - CLOCK_SLACK_S:
        return problem(
            f"The clock shows {time_utc} UTC, {installed - now:,.0f} s before Tabwarden was "
            "installed. A wrong clock breaks certificates and cookies.",
            _MENDS.get(sys.platform, "sudo timedatectl set-ntp true"),
        )
    return ok(f"{time_utc} UTC")
