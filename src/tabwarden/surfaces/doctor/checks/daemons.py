"""The processes that hold the browsers of the command line between commands."""

from __future__ import annotations

import os
import time

from tabwarden.errors import Denied, EndpointUnreachable, InvalidArgument
from tabwarden.surfaces.cli.options import table
from tabwarden.surfaces.daemon.call import BRIEF_S, found
from tabwarden.surfaces.daemon.locks import holder
from tabwarden.surfaces.daemon.places import Place, runtime_folder, session_names
from tabwarden.surfaces.doctor.finding import Finding, Status
from tabwarden.surfaces.doctor.patient import Patient

__all__ = ["check_daemons"]

_ELSEWHERE = 'export TABWARDEN_RUNTIME_DIR="$HOME/.tabwarden-run"'


def check_daemons(patient: Patient) -> list[Finding]:
    """Look at each session's daemon: whether it lives, answers, and is of this version."""
    _ = patient
    try:
        places = _places()
    except Denied as error:
        return [_finding("problem", error.message, _ELSEWHERE)]
    looked = [told for place in places if (told := _looked_at(place)) is not None]
    return looked or [_finding("ok", "No daemon runs.")]


def _places() -> list[Place]:
    if os.path.exists(runtime_folder()):
        Place("default")  # the folder is judged before any name in it
    places = []
    for name in session_names():
        try:
            places.append(Place(name))
        except InvalidArgument:
            continue  # a file that no session has made
    return places


def _looked_at(place: Place) -> Finding | None:
    """What is to be told; None: it has ended meanwhile."""
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
        words = f"The daemon of session {session} (process {pid}) is starting, or ending."
        return _finding("ok", words, session=session, pid=pid)
    link.close()
    theirs, ours, is_open = link.hello["build"], table()["build"], link.hello["open"]
    facts = {"session": session, "pid": pid, "build": theirs, "open": is_open}
    if theirs != ours:
        words = (
            f"The daemon of session {session} (process {pid}) is of another version ({theirs}, "
            f"this is {ours}): the next command replaces it, and its pages are lost."
        )
        return _finding("warning", words, stop, **facts)
    browser = "a browser is open" if is_open else "no browser is open"
    words = f"The daemon of session {session} (process {pid}) answers; {browser}."
    return _finding("ok", words, **facts)


def _finding(status: Status, message: str, command: str = "", **facts: object) -> Finding:
    return Finding(check="daemons", status=status, message=message, command=command, data=facts)
