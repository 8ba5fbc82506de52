"""``tabwarden cookies import``: copies cookies from the user's own browser into a saved state.

Only a person at a terminal can run it. No other surface has it.
"""

from __future__ import annotations

import asyncio
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

from tabwarden.budget import Budget
from tabwarden.config import checked_kept_name, load_config, state_folder
from tabwarden.endpoints.own_chrome import own_cookies
from tabwarden.errors import Denied, InvalidArgument
from tabwarden.page.storage import cookies, state_file, state_format, state_merge
from tabwarden.surfaces.cli.commands.base import shows_errors
from tabwarden.surfaces.cli.commands.timing import PERSON_ANSWERS_MS


@click.command("import-cookies")
@click.option(
    "--from",
    "browser",
    required=True,
    metavar="BROWSER",
    help="chrome, edge, brave, chromium, chrome-beta, ... (tabwarden connect auto:BROWSER).",
)
@click.option("--to", "name", required=True, metavar="NAME", help="The saved state to add them to.")
@click.option(
    "--domain",
    "domains",
    multiple=True,
    metavar="DOMAIN",
    help="Only cookies of this domain and its subdomains. May be repeated. Default: all.",
)
@click.option("--profile", help="Not possible: see the error for what to do.", hidden=True)
@click.option("--config", type=click.Path(path_type=Path), help="The configuration file.")
@shows_errors
def import_cookies(
    browser: str, name: str, domains: tuple[str, ...], profile: str | None, config: Path | None
) -> None:
    """Copy cookies from your own browser into the saved state NAME, for --restore NAME.

    The browser must run, and you must have allowed debugging in it (Chrome 144: at
    chrome://inspect/#remote-debugging). It may ask you again. Nothing in it changes. The cookies
    are those of the profile that the browser opened first.
    """
    if profile is not None:
        raise InvalidArgument(
            "A browser tells only the cookies of the profile that it opened first.",
            f"Quit it, start it with --profile-directory={shlex.quote(profile)}, allow debugging, "
            "and run this command without --profile.",
            field="profile",
        )
    folder = state_folder(load_config(config).browser)
    path = state_file.state_path(folder, checked_kept_name(name, "to"))
    _ask(browser, domains, path)
    count = asyncio.run(_copied(browser, domains, path))
    click.echo(f"{count} cookies are now in {path}. Use them: tabwarden open URL --restore {name}")


def _ask(browser: str, domains: Sequence[str], path: Path) -> None:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Denied(
            "Only a person at a terminal can copy cookies from their own browser.",
            "Run this command yourself, in a terminal.",
        )
    which = f"the cookies of {', '.join(domains)}" if domains else "ALL cookies"
    click.echo(f"Whoever reads {path} can then use your logins there.", err=True)
    click.confirm(f"Copy {which} from {browser}?", abort=True, err=True)


async def _copied(browser: str, domains: Sequence[str], path: Path) -> int:
    _, found = await own_cookies(browser, Budget(PERSON_ANSWERS_MS))
    wanted = [
        one
        for one in found
        if not domains or any(cookies.is_below(one.domain, domain) for domain in domains)
    ]
    if not wanted:
        which = f" of {', '.join(domains)}" if domains else ""
        raise InvalidArgument(
            f"{browser} has no cookies{which}.", "Check --domain.", field="domain"
        )
    ours = {"cookies": [state_format.as_playwright(one) for one in wanted]}
    state_file.changed(
        path, lambda theirs: state_merge.merged({}, ours, theirs, frozenset(), time.time())
    )
    return len(wanted)
