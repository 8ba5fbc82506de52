"""``tabwarden token``: the tokens of tenants, for ``serve`` and ``mcp --http``."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from tabwarden.surfaces.cli.commands.base import (
    Commands,
    config_option,
    json_option,
    print_table,
    shows_errors,
)
from tabwarden.surfaces.cli.output import show

_PERMISSIONS = click.Choice(["read", "act", "files", "scripts", "live", "attach", "launch"])
_YEARS = 36_500
"""The maximum lifetime of a token, in days."""


@click.group(cls=Commands)
def token() -> None:
    """Manage the tenants' tokens. Each tenant of a server has its own tasks, files and logins.

    Servers (serve, mcp --http) apply changes at once. They store only a hash of each token.
    """


@token.command()
@click.argument("name")
@click.option("--tenant", help="The tenant whose tasks the token can use. Default: NAME.")
@click.option(
    "--allow",
    type=_PERMISSIONS,
    multiple=True,
    help="A permission to give to the token. May be repeated. Default: read, act, files, scripts.",
)
@click.option(
    "--max-tasks",
    type=click.IntRange(min=1),
    help="The maximum number of the tenant's open browsers.",
)
@click.option(
    "--expires",
    type=click.FloatRange(0, _YEARS, min_open=True),
    help="The number of days until the token expires. Default: it never expires.",
)
@config_option
@json_option
@shows_errors
def create(
    name: str,
    tenant: str | None,
    allow: tuple[Any, ...],
    max_tasks: int | None,
    expires: float | None,
    config: Path | None,
    as_json: bool,
) -> None:
    """Create a token and print it once. NAME identifies the token, and may appear in logs."""
    from tabwarden.surfaces.guard.token_file import (
        DEFAULT_ALLOW,
        TokenList,
        change_tokens,
        fresh_token,
    )

    secret, now = fresh_token(), datetime.now(UTC)

    def added(tokens: TokenList) -> TokenList:
        return tokens.create(
            name,
            secret,
            now,
            tenant=tenant,
            allow=allow or DEFAULT_ALLOW,
            max_tasks=max_tasks,
            expires=None if expires is None else now + timedelta(days=expires),
        )

    change_tokens(_file(config), added)
    _print_once(name, secret, as_json=as_json)


@token.command("list")
@config_option
@json_option
@shows_errors
def list_tokens(config: Path | None, as_json: bool) -> None:
    """List the tokens' names and settings, not their secrets."""
    import msgspec

    from tabwarden.surfaces.guard.token_file import read_tokens

    path, now = _file(config), datetime.now(UTC)
    tokens = read_tokens(path).tokens
    hidden = {"sha256", "old"}
    data = [
        {name: value for name, value in msgspec.to_builtins(one).items() if name not in hidden}
        | {"old_until": msgspec.to_builtins(one.old and one.old.until)}
        for one in tokens
    ]
    cells = [
        (
            one.name,
            one.tenant,
            ",".join(one.allow),
            "-" if one.max_tasks is None else str(one.max_tasks),
            f"{one.created:%Y-%m-%d}",
            "never" if one.expires is None else f"{one.expires:%Y-%m-%d}",
        )
        for one in tokens
    ]
    styles = ["dim" if one.expires is not None and one.expires <= now else "" for one in tokens]
    headings = ("name", "tenant", "allows", "tasks", "created", "expires")
    show(
        data,
        ["  ".join(row) for row in cells] or [f"There are no tokens in {path}."],
        as_json=as_json,
        table=(lambda: print_table(headings, zip(styles, cells, strict=True), unwrapped="name"))
        if tokens
        else None,
    )


@token.command()
@click.argument("name")
@click.option(
    "--keep-old",
    type=click.FloatRange(0, _YEARS * 24),
    default=0.0,
    show_default=True,
    help="The number of hours for which the old token stays valid.",
)
@config_option
@json_option
@shows_errors
def rotate(name: str, keep_old: float, config: Path | None, as_json: bool) -> None:
    """Replace the token NAME with a new token, and print the new token once."""
    from tabwarden.surfaces.guard.token_file import change_tokens, fresh_token

    secret, until = fresh_token(), datetime.now(UTC) + timedelta(hours=keep_old)
    change_tokens(_file(config), lambda tokens: tokens.rotate(name, secret, until))
    _print_once(name, secret, as_json=as_json)


@token.command()
@click.argument("name")
@config_option
@json_option
@shows_errors
def revoke(name: str, config: Path | None, as_json: bool) -> None:
    """Revoke the token NAME, and end its calls, streams and live views."""
    from tabwarden.surfaces.guard.token_file import change_tokens

    change_tokens(_file(config), lambda tokens: tokens.revoke(name))
    show({"revoked": name}, [f"The token {name} is revoked."], as_json=as_json)


def _file(config: Path | None) -> Path:
    from tabwarden.config import load_config
    from tabwarden.surfaces.guard.token_file import tokens_file

    return tokens_file(load_config(config).server.tokens_file)


def _print_once(name: str, secret: str, *, as_json: bool) -> None:
    show({"name": name, "token": secret}, [secret], as_json=as_json)
    if not as_json:
        click.echo("Save the token now. It is not shown again.", err=True)
