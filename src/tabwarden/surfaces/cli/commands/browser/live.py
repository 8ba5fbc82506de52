"""``tabwarden live``: opens the live view of the user's tasks in their browser.

A link contains a token, and all users of the machine can read a browser's arguments. Therefore, the
browser opens a local page that contains the link. Only the user can read this page.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import webbrowser
from contextlib import suppress
from html import escape
from pathlib import Path

import click

from tabwarden.errors import Denied, EndpointUnreachable, NotOpen
from tabwarden.surfaces.cli.commands.base import json_option, shows_errors
from tabwarden.surfaces.cli.commands.browser.sessions import (
    handoff_lines,
    own_name,
    waiting_handoffs,
)
from tabwarden.surfaces.cli.output import show
from tabwarden.surfaces.daemon.paths import private_folder

LINK_S = 5.0
"""How long a server may take to create a link to its live view."""
LINK_PAGE_S = 300.0
"""How long a page with a link is kept. The link works for the same time."""
_PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={url}">
<title>Tabwarden</title>
<a href="{url}">Open Tabwarden</a>
"""
OPENED = (
    "The link was opened in your browser. If the browser shows no page, open the link yourself."
)
"""The text below a link that was opened. A sandboxed browser (snap, Flatpak) may be unable to read
the page.
"""


@click.command()
@click.option("--session", help="Show only this session's task.")
@click.option("--port", type=int, help="Show the tasks of the server on this port.")
@click.option("--task", help="Show only this task.")
@click.option(
    "--read-only", is_flag=True, help="Create a link that allows watching but not control."
)
@click.option("--name", help="The name under which agents see the person who uses the link.")
@click.option("--no-open", is_flag=True, help="Print the link without opening it.")
@json_option
@shows_errors
def live(
    session: str | None,
    port: int | None,
    task: str | None,
    read_only: bool,
    name: str | None,
    no_open: bool,
    as_json: bool,
) -> None:
    """Watch your tasks in a web page, answer dialogs and questions, and take control.

    Prints a link that works once, within a few minutes, and opens the link if this computer has a
    display. Without options, the page shows the tasks of all your sessions and servers on this
    computer.
    """
    url = _link(session, port, task, read_only=read_only, name=name or own_name())
    opened = not no_open and has_display() and open_link(url)
    waiting = waiting_handoffs()
    lines = [url] if not opened else [url, OPENED]
    requests = [f"An agent is waiting for you: {line}" for line in handoff_lines(waiting)]
    data = {"url": url, "opened": opened, "handoffs": waiting}
    show(data, [*lines, *requests], as_json=as_json)


def _link(
    session: str | None, port: int | None, task: str | None, *, read_only: bool, name: str
) -> str:
    import asyncio

    from tabwarden.surfaces.daemon.live_view import other_servers, server_of_daemon

    if session is not None:
        found = server_of_daemon(session)
        servers, task = ([found] if found else []), task or session
    else:
        servers = asyncio.run(other_servers())
    fitting = [one for one in servers if port is None or one.url.endswith(f":{port}")]
    if not fitting:
        raise NotOpen(
            f"There is nothing to watch: {_missing(session, port)}.",
            "Open a browser (tabwarden open URL) or start a server (tabwarden serve).",
        )
    return _requested_link(fitting[0].url, fitting[0].key, task, read_only=read_only, name=name)


def _requested_link(url: str, key: str, task: str | None, *, read_only: bool, name: str) -> str:
    import httpx2

    wanted = {"task": task, "read_only": read_only, "name": name}
    try:
        with httpx2.Client(trust_env=False, timeout=LINK_S) as client:
            answer = client.post(
                f"{url}/live/links", json=wanted, headers={"Authorization": f"Bearer {key}"}
            )
        return str(answer.raise_for_status().json()["url"])
    except (httpx2.HTTPError, KeyError, ValueError) as error:
        raise EndpointUnreachable(
            f"The server at {url} did not create a link: {error}.", "Restart that server."
        ) from None


def _missing(session: str | None, port: int | None) -> str:
    if session is not None:
        return f"session {session!r} has no open browser"
    if port is not None:
        return f"none of your servers is listening on port {port}"
    return "no task has an open browser, and no server is running"


def has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_link(url: str) -> bool:
    """Open a link in the person's browser. Return False if no browser was found; the caller then
    prints the link.
    """
    try:
        page = _write(url)
    except (OSError, Denied):
        return False
    return webbrowser.open(page.as_uri())


def _write(url: str) -> Path:
    """Write a page that contains a link, and remove the pages of expired links."""
    folder = Path(private_folder())
    for old in folder.glob("link-*.html"):
        with suppress(FileNotFoundError):  # another process removed it
            if old.stat().st_mtime < time.time() - LINK_PAGE_S:
                old.unlink()
    handle, name = tempfile.mkstemp(prefix="link-", suffix=".html", dir=folder)  # mode 0600
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(_PAGE.format(url=escape(url)))
    return Path(name)
