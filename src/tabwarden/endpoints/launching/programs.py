"""Programs: a launched browser starts no other program on this system, unless a setting allows it.

For ``mailto:``, Chromium runs ``xdg-open`` without a question, even without a window, whatever
makes the page go there: a link, a script, a frame, a redirect. On Linux it finds that program in
PATH, so a stand-in comes first there. It runs the real one only for the allowed schemes, and for
files, which only a person opens, in the browser's own windows.
"""

from __future__ import annotations

import logging
import os
import shlex
import shutil
from collections.abc import Iterable, MutableMapping
from pathlib import Path

log = logging.getLogger("tabwarden.endpoints")

_OPENER = "xdg-open"


def keep_programs(
    scratch: Path, environment: MutableMapping[str, str], schemes: Iterable[str]
) -> None:
    """Put the stand-in into a browser's PATH.

    Args:
        scratch: the folder of the launch, which is removed with the browser.
        environment: the browser's variables.
        schemes: the schemes that may start a program.
    """
    path = environment.get("PATH", os.defpath)
    real = shutil.which(_OPENER, path=path)
    folder = scratch / "programs"
    folder.mkdir(mode=0o700)
    stand_in = folder / _OPENER
    stand_in.write_text(_script(real, schemes))
    stand_in.chmod(0o700)
    if real is not None and not os.access(stand_in, os.X_OK):  # on a file system with noexec
        log.warning("%s can't be run, so a page may start the program of a mailto: link", stand_in)
    environment["PATH"] = os.pathsep.join((str(folder), path))


def _script(real: str | None, schemes: Iterable[str]) -> str:
    run = f'exec {shlex.quote(real)} "$@"' if real is not None else "exit 0"
    allowed = [f"{shlex.quote(scheme)}:*" for scheme in schemes]
    return f'#!/bin/sh\ncase "$1" in\n{"|".join([*allowed, "/*"])}) {run};;\nesac\n'
