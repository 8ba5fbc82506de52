"""Check the daemons that keep the command line's browsers open between commands."""

from __future__ import annotations

import os
import time

from tabwarden.errors import Denied, EndpointUnreachable, InvalidArgument
from tabwarden.surfaces.command_table import table
from tabwarden.surfaces.daemon.call import found
from tabwarden.surfaces.daemon.locks import holder
from tabwarden.surfaces.daemon.paths import SessionPaths, runtime_folder, session_names
from tabwarden.surfaces.daemon.timing import BRIEF_S
from tabwarden.surfaces.doctor.finding import Finding, Status
from tabwarden.surfaces.doctor.patient import Patient

_ELSEWHERE = 'export TABWARDEN_RUNTIME_DIR="$HOME/.tabwarden-run"'


def check_daemons(patient: Patient) -> list[Finding]:
    """Check that each session's daemon is running, responds, and has this version."""
    _ = patient
    try:
        places = _places()
    except Denied as error:
        return [_finding("problem", error.message, _ELSEWHERE)]
    looked = [told for place in places if (told := _looked_at(place)) is not None]
    return looked or [_finding("ok", "No daemon is running.")]


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
    """Return the finding about a daemon; None if the daemon has ended in the meantime."""
    session, stop = place.session, f"tabwarden daemon stop --session {place.session}"
    pid = holder(place.life)
    if pid is None:
        if not os.path.exists(place.door):
            return None
        words = f"The daemon of session {session} ended unexpectedly and left its socket behind."
        return _finding("warning", words, stop, session=session)
    try:
        link = found(place, time.monotonic() + BRIEF_S)
    except EndpointUnreachable as error:
        return _finding("problem", error.message, stop, session=session, pid=pid)
    if link is None:
        words = f"The daemon of session {session} (process {pid}) is starting or ending."
        return _finding("ok", words, session=session, pid=pid)
    link.close()
    theirs, ours, is_open = link.hello["build"], table()["build"], link.hello["open"]
    facts = {"session": session, "pid": pid, "build": theirs, "open": is_open}
    if theirs != ours:
        words = (
            f"The daemon of session {session} (process {pid}) has a different version ({theirs}; "
            f"this is {ours}). The next command replaces the daemon and loses its pages."
        )
        return _finding("warning", words, stop, **facts)
    browser = "a browser is open" if is_open else "no browser is open"
    words = f"The daemon of session {session} (process {pid}) responds; {browser}."
    return _finding("ok", words, **facts)


def _finding(status: Status, message: str, command: str = "", **facts: object) -> Finding:
    return Finding(check="daemons", status=status, message=message, command=command, data=facts)
