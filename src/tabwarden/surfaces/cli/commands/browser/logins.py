"""``tabwarden profiles`` and ``import-cookies``: named profiles, and the user's own cookies.

Only a person at a terminal can import cookies; no other interface supports it.
"""

from __future__ import annotations

import asyncio
import datetime
import shlex
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from tabwarden.budget import Budget
from tabwarden.config import checked_kept_name, load_config, profiles_folder, state_folder
from tabwarden.endpoints.own_chrome import own_cookies
from tabwarden.endpoints.profiles import NamedProfile, named_profiles, remove_profile
from tabwarden.errors import Denied, InvalidArgument
from tabwarden.page.storage import cookies, state_file, state_format, state_merge
from tabwarden.surfaces.cli.commands.base import (
    Commands,
    config_option,
    json_option,
    print_table,
    shows_errors,
)
from tabwarden.surfaces.cli.output import show


@click.group(cls=Commands)
def profiles() -> None:
    """Manage permanent profiles. `tabwarden open --profile NAME` creates one."""


@profiles.command("list")
@config_option
@json_option
@shows_errors
def list_profiles(config: Path | None, as_json: bool) -> None:
    """List each profile's name, size, last use, and the process that is using it."""
    folder = profiles_folder(load_config(config).browser)
    found = named_profiles(folder)
    rows = [_row(one) for one in found]
    show(
        {"folder": str(folder), "profiles": [_as_json(one) for one in found]},
        ["\t".join(row) for row in rows] or [f"There are no profiles in {folder}."],
        as_json=as_json,
        table=partial(_table, rows) if rows else None,
    )


@profiles.command()
@click.argument("name")
@config_option
@shows_errors
def path(name: str, config: Path | None) -> None:
    """Print the path of the profile NAME, even if the profile does not exist."""
    click.echo(profiles_folder(load_config(config).browser) / checked_kept_name(name, "name"))


@profiles.command()
@click.argument("name")
@config_option
@shows_errors
def remove(name: str, config: Path | None) -> None:
    """Remove the profile NAME with all its logins. Fails while a browser is using it."""
    folder = profiles_folder(load_config(config).browser)
    size = remove_profile(folder, checked_kept_name(name, "name"))
    click.echo(f"Removed {name} ({size / 1e6:.1f} MB).")


def _table(rows: list[tuple[str, ...]]) -> None:
    headings = ["name", "MB", "last used", "in use by"]
    print_table(headings, (("", row) for row in rows), unwrapped="name")


def _row(one: NamedProfile) -> tuple[str, ...]:
    used = ""
    if one.last_used is not None:
        used = datetime.datetime.fromtimestamp(one.last_used).isoformat(" ", "seconds")
    holder = f"process {one.holder.pid} on {one.holder.host}" if one.holder else ""
    return one.name, f"{one.size / 1e6:.1f}", used, holder


def _as_json(one: NamedProfile) -> dict[str, object]:
    return {
        "name": one.name,
        "path": str(one.path),
        "size": one.size,
        "last_used": one.last_used,
        "holder": one.holder._asdict() if one.holder else None,
    }


PERSON_ANSWERS_MS = 60_000.0
"""How long a person may take to allow a connection to their own browser."""


@click.command("import-cookies")
@click.option(
    "--from",
    "browser",
    required=True,
    metavar="BROWSER",
    help="The browser to copy from: chrome, edge, brave, chromium, chrome-beta, ... (see "
    "tabwarden connect "
    "auto:BROWSER).",
)
@click.option(
    "--to", "name", required=True, metavar="NAME", help="The saved state to add the cookies to."
)
@click.option(
    "--domain",
    "domains",
    multiple=True,
    metavar="DOMAIN",
    help="Copy only cookies for this domain and its subdomains. May be repeated. Default: all "
    "cookies.",
)
@click.option("--profile", help="Not supported: the error says what to do instead.", hidden=True)
@config_option
@shows_errors
def import_cookies(
    browser: str, name: str, domains: tuple[str, ...], profile: str | None, config: Path | None
) -> None:
    """Copy cookies from your own browser into the saved state NAME, for --restore NAME.

    The browser must be running, and you must have allowed debugging in it (Chrome 144: at
    chrome://inspect/#remote-debugging). The browser may ask you again. Nothing in the browser
    changes. The cookies come from the profile that the browser opened first.
    """
    if profile is not None:
        raise InvalidArgument(
            "Tabwarden can read only the cookies of the profile that the browser opened first.",
            f"Quit the browser, start it with --profile-directory={shlex.quote(profile)}, allow "
            f"remote debugging, and run this command without --profile.",
            field="profile",
        )
    folder = state_folder(load_config(config).browser)
    path = state_file.state_path(folder, checked_kept_name(name, "to"))
    _ask(browser, domains, path)
    count = asyncio.run(_copied(browser, domains, path))
    click.echo(
        f"{count} cookies are now in {path}. To use them: tabwarden open URL --restore {name}"
    )


def _ask(browser: str, domains: Sequence[str], path: Path) -> None:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Denied(
            "Only a person at a terminal can copy cookies from their own browser.",
            "Run this command yourself, in a terminal.",
        )
    which = f"the cookies for {', '.join(domains)}" if domains else "ALL cookies"
    click.echo(f"Anyone who can read {path} can then use your logins.", err=True)
    click.confirm(f"Copy {which} from {browser}?", abort=True, err=True)


async def _copied(browser: str, domains: Sequence[str], path: Path) -> int:
    _, found = await own_cookies(browser, Budget(PERSON_ANSWERS_MS))
    wanted = [
        one
        for one in found
        if not domains or any(cookies.is_below(one.domain, domain) for domain in domains)
    ]
    if not wanted:
        which = f" for {', '.join(domains)}" if domains else ""
        raise InvalidArgument(
            f"{browser} has no cookies{which}.", "Check --domain.", field="domain"
        )
    ours = {"cookies": [state_format.as_playwright(one) for one in wanted]}
    state_file.changed(
        path, lambda theirs: state_merge.merged({}, ours, theirs, frozenset(), time.time())
    )
    return len(wanted)
