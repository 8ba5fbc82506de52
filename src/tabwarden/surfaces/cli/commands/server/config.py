"""``tabwarden config``: show the configuration and its sources, or change its file."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from tabwarden.config import config_file
from tabwarden.config.editing import flow
from tabwarden.config.effective import Effective, effective
from tabwarden.config.keys import known_key, parse_key, parse_value, written_key
from tabwarden.config.layers import Origin, variables_of
from tabwarden.config.schema import config_schema, holds_secret, is_secret
from tabwarden.config.writing import set_value, unset_value
from tabwarden.surfaces.cli import output
from tabwarden.surfaces.cli.commands.base import Commands, json_option, print_table, shows_errors
from tabwarden.surfaces.command_table.arguments import text_from_stdin

_of_file = click.option(
    "--config", "path", type=click.Path(path_type=Path), help="The configuration file."
)


@click.group(cls=Commands)
def config() -> None:
    """Show the configuration and the source of each value, or change the configuration file.

    Write keys with dots: browser.timeouts_ms.evaluate. Running servers apply changes at once.
    """


@config.command()
@json_option
@click.option(
    "--yaml", "as_yaml", is_flag=True, help="Print YAML in the format of the configuration file."
)
@_of_file
@shows_errors
def show(path: Path | None, as_json: bool, as_yaml: bool) -> None:
    """Print every key, its value, and its source: the file, a variable, or the default."""
    found = effective(path)
    data = {
        "path": str(config_file(path)),
        "config": _nested(found),
        "sources": {written_key(one.keys): _source(one.origin) for one in found},
    }
    if as_yaml and not as_json:
        output.show(data, list(_yaml(found, with_origins=True)), as_json=False)
        return
    rows = [
        (
            "dim" if one.origin.source == "default" else "bold",
            (written_key(one.keys), flow(one.value), _origin(one.origin)),
        )
        for one in found
    ]
    lines = [f"{key}: {value}  ({origin})" for _, (key, value, origin) in rows]
    table = partial(print_table, ("Key", "Value", "From"), rows, unwrapped="Key")
    output.show(data, lines, as_json=as_json, table=table)


@config.command()
@click.argument("key")
@json_option
@_of_file
@shows_errors
def get(path: Path | None, key: str, as_json: bool) -> None:
    """Print the effective value of KEY. If KEY is a section, print the whole section."""
    keys = known_key(key)
    found = [one for one in effective(path) if one.keys[: len(keys)] == keys]
    below = [Effective(one.keys[len(keys) :], one.value, one.origin) for one in found]
    if len(below) == 1 and not below[0].keys:
        value = below[0].value
        lines = [value if isinstance(value, str) else flow(value)]
    else:
        value = _nested(below) if below else None
        lines = list(_yaml(below, with_origins=False)) if below else ["null"]
    output.show(value, lines, as_json=as_json)


@config.command("set", context_settings={"ignore_unknown_options": True})
@click.argument("key")
@click.argument("value")
@_of_file
@shows_errors
def set_(path: Path | None, key: str, value: str) -> None:
    """Set KEY in the file to VALUE, which is YAML. If VALUE is -, read it from standard input.

    Use - for a secret, because other users can see the arguments of a process. On a terminal, the
    command then prompts for the value and does not echo a secret. The file's comments and order
    stay unchanged. An invalid value is rejected.
    """
    keys = known_key(key)
    text = _from_stdin(keys) if value == "-" else value
    parsed = parse_value(text, keys)
    file = set_value(config_file(path), keys, parsed)
    nested: Any = parsed
    for name in reversed(keys):
        nested = {name: nested}
    secret = holds_secret(nested)
    assignment = "" if secret else f" = {flow(parsed)}"
    click.echo(f"{written_key(keys)}{assignment} is set in {file}")
    if secret and value != "-":
        click.echo(
            "The secret was visible in this process's arguments and may be in your shell's "
            f"history. Next time, pass it on stdin: tabwarden config set "
            f"{shlex.quote(written_key(keys))} -",
            err=True,
        )
    _tell_overriding(keys)


@config.command()
@click.argument("key")
@_of_file
@shows_errors
def unset(path: Path | None, key: str) -> None:
    """Remove KEY from the file, so that its default applies. This also removes an unknown key."""
    keys, file = parse_key(key), config_file(path)
    written = unset_value(file, keys)
    if written is not None:
        click.echo(f"{written_key(keys)} was removed from {written}")
        _tell_overriding(keys)
    else:
        known_key(key)
        click.echo(f"{written_key(keys)} is not set in {file}")


@config.command("path")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the path and whether the file exists, as JSON."
)
@_of_file
@shows_errors
def path_(path: Path | None, as_json: bool) -> None:
    """Print the path of the file, even if the file does not exist."""
    file = config_file(path)
    found = {"path": str(file), "exists": os.path.isfile(file)}
    click.echo(json.dumps(found) if as_json else str(file))


@config.command()
@shows_errors
def schema() -> None:
    """Print the JSON Schema of the file, for editors."""
    click.echo(json.dumps(config_schema(), indent=2))


def _tell_overriding(keys: Sequence[str]) -> None:
    for variable in variables_of(keys):
        click.echo(
            f"If the environment variable {variable} is set, it overrides this key in the file.",
            err=True,
        )


def _from_stdin(keys: tuple[str, ...]) -> str:
    if sys.stdin.isatty():
        return str(click.prompt(written_key(keys), hide_input=is_secret(keys), err=True))
    return text_from_stdin("value").removesuffix("\n").removesuffix("\r")


def _nested(found: list[Effective]) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for one in found:
        node = root
        for key in one.keys[:-1]:
            node = node.setdefault(key, {})
        node[one.keys[-1]] = one.value
    return root


def _yaml(found: list[Effective], *, with_origins: bool) -> Iterator[str]:
    before: tuple[str, ...] = ()
    for one in found:
        for depth, key in enumerate(one.keys[:-1]):
            if before[: depth + 1] != one.keys[: depth + 1]:
                yield f"{'  ' * depth}{flow(key)}:"
        before = one.keys[:-1]
        line = f"{'  ' * len(before)}{flow(one.keys[-1])}: {flow(one.value)}"
        yield f"{line}  # {_origin(one.origin)}" if with_origins else line


def _source(origin: Origin) -> dict[str, str]:
    return {"source": origin.source} | ({"where": origin.where} if origin.where else {})


def _origin(origin: Origin) -> str:
    return origin.where or origin.source
