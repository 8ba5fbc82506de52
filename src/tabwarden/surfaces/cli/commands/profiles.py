"""``tabwarden profiles``: list, find and remove the permanent profiles that have a name."""

from __future__ import annotations

import datetime
from functools import partial
from pathlib import Path

import click

from tabwarden.config import checked_kept_name, load_config, profiles_folder
from tabwarden.endpoints.profiles import NamedProfile, named_profiles, remove_profile
from tabwarden.surfaces.cli.commands.base import Commands, print_table, shows_errors
from tabwarden.surfaces.cli.output import show

_CONFIG = click.option("--config", type=click.Path(path_type=Path), help="The configuration file.")


@click.group(cls=Commands)
def profiles() -> None:
    """Permanent profiles by name: `tabwarden open --profile NAME` makes and keeps one."""


@profiles.command("list")
@_CONFIG
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@shows_errors
def list_profiles(config: Path | None, as_json: bool) -> None:
    """List the profiles with their sizes, last use, and the process that uses each now."""
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
@_CONFIG
@shows_errors
def path(name: str, config: Path | None) -> None:
    """Print the folder of the profile NAME, whether it exists or not."""
    click.echo(profiles_folder(load_config(config).browser) / checked_kept_name(name, "name"))


@profiles.command()
@click.argument("name")
@_CONFIG
@shows_errors
def remove(name: str, config: Path | None) -> None:
    """Remove the profile NAME with all its logins. Refuses while a browser uses it."""
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
