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
"""The longest time of a token, in days."""


@click.group(cls=Commands)
def token() -> None:
    """Tokens of tenants: each tenant of a server has tasks, files and logins of its own.

    Servers (serve, mcp --http) see a change at once. They keep no token, only its hash.
    """


@token.command()
@click.argument("name")
@click.option("--tenant", help="Whose tasks the token reaches. Default: NAME.")
@click.option(
    "--allow",
    type=_PERMISSIONS,
    multiple=True,
    help="A permission; give the option once for each. Default: read, act, files, scripts.",
)
@click.option(
    "--max-tasks", type=click.IntRange(min=1), help="Most browsers that the tenant may have open."
)
@click.option(
    "--expires", type=click.FloatRange(0, _YEARS, min_open=True), help="Days until the token ends."
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
    """Create a token and print it, this once. NAME is for you, and may be in logs."""
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
    """List the tokens, without the tokens themselves."""
    import msgspec

    from tabwarden.surfaces.guard.token_file import read_tokens

    path, now = _file(config), datetime.now(UTC)
    tokens = read_tokens(path).tokens
    hidden = {"sha256", "old"}
    told = [
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
        told,
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
    help="Hours for which the last token works too.",
)
@config_option
@json_option
@shows_errors
def rotate(name: str, keep_old: float, config: Path | None, as_json: bool) -> None:
    """Replace the token NAME by a new one, and print it, this once."""
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
    """End the token NAME: its calls, streams and live views end too."""
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
        click.echo("Keep it now: it is not shown again.", err=True)
