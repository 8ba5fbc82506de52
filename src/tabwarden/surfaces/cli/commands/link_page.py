"""Opens links in the person's browser. A browser's arguments can be read by every user of the
machine, and a link has a token: so the browser gets a page, which only its user can read."""

from __future__ import annotations

import os
import tempfile
import time
import webbrowser
from contextlib import suppress
from html import escape
from pathlib import Path

from tabwarden.errors import Denied
from tabwarden.surfaces.cli.commands.timing import LINK_PAGE_S
from tabwarden.surfaces.daemon.paths import private_folder

_PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={url}">
<title>Tabwarden</title>
<a href="{url}">Open Tabwarden</a>
"""
OPENED = "Opened in your browser. If you see no page there, open the link yourself."
"""What to print below a link that was opened: a browser in a sandbox (snap, Flatpak) may be unable
to read the page."""


def open_link(url: str) -> bool:
    """Open a link in the person's browser. Return whether there is one. Print the link, too."""
    try:
        page = _write(url)
    except (OSError, Denied):
        return False
    return webbrowser.open(page.as_uri())


def _write(url: str) -> Path:
    """Write the page that leads to a link, and remove those of links that no longer work."""
    folder = Path(private_folder())
    for old in folder.glob("link-*.html"):
        with suppress(FileNotFoundError):  # another process removed it
            if old.stat().st_mtime < time.time() - LINK_PAGE_S:
                old.unlink()
    handle, name = tempfile.mkstemp(prefix="link-", suffix=".html", dir=folder)  # mode 0600
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(_PAGE.format(url=escape(url)))
    return Path(name)
