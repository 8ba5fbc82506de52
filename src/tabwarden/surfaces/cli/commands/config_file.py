"""The implementation of ``tabwarden config``."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import click

from tabwarden.config import config_file
from tabwarden.config.editing import flow
from tabwarden.config.effective import Effective, effective
from tabwarden.config.keys import known_key, parse_key, parse_value, written_key
from tabwarden.config.layers import Origin, variables_of
from tabwarden.config.schema import holds_secret, is_secret
from tabwarden.config.writing import set_value, unset_value
from tabwarden.surfaces.cli.client.given_text import text_from_stdin
from tabwarden.surfaces.cli.commands.base import print_table
from tabwarden.surfaces.cli.output import show

Form = Literal["text", "json", "yaml"]


def print_all(path: Path | None, form: Form) -> None:
    """Print the complete configuration, with the source of each value."""
    found = effective(path)
    data = {
        "path": str(config_file(path)),
        "config": _nested(found),
        "sources": {written_key(one.keys): _source(one.origin) for one in found},
    }
    if form == "yaml":
        show(data, list(_yaml(found, with_origins=True)), as_json=False)
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
    show(data, lines, as_json=form == "json", table=table)


def print_one(path: Path | None, key: str, form: Form) -> None:
    """Print one value, or everything below a key."""
    keys = known_key(key)
    found = [one for one in effective(path) if one.keys[: len(keys)] == keys]
    below = [Effective(one.keys[len(keys) :], one.value, one.origin) for one in found]
    if len(below) == 1 and not below[0].keys:
        value = below[0].value
        lines = [value if isinstance(value, str) else flow(value)]
    else:
        value = _nested(below) if below else None
        lines = list(_yaml(below, with_origins=False)) if below else ["null"]
    show(value, lines, as_json=form == "json")


def set_one(path: Path | None, key: str, value: str) -> None:
    """Set a key in the file. Print the file's path, and warn if a variable overrides the key.

    Raises:
        InvalidArgument: ``key`` does not exist, the value is invalid, or the file can't be written.
            The file does not change.
    """
    keys = known_key(key)
    given = _from_stdin(keys) if value == "-" else value
    parsed = parse_value(given, keys)
    file = set_value(config_file(path), keys, parsed)
    nested: Any = parsed
    for name in reversed(keys):
        nested = {name: nested}
    secret = holds_secret(nested)
    shown = "" if secret else f" = {flow(parsed)}"
    click.echo(f"{written_key(keys)}{shown} is set in {file}")
    if secret and value != "-":
        click.echo(
            "The secret was visible in this process's arguments and may be in your shell's "
            f"history. Next time: tabwarden config set {shlex.quote(written_key(keys))} -",
            err=True,
        )
    _tell_overriding(keys)


def unset_one(path: Path | None, key: str) -> None:
    """Remove a key from the file.

    Raises:
        InvalidArgument: neither the schema nor the file has ``key``, or the file can't be written.
    """
    keys, file = parse_key(key), config_file(path)
    written = unset_value(file, keys)
    if written is not None:
        click.echo(f"{written_key(keys)} was removed from {written}")
        _tell_overriding(keys)
    else:
        known_key(key)
        click.echo(f"{written_key(keys)} is not set in {file}")


def _tell_overriding(keys: Sequence[str]) -> None:
    for variable in variables_of(keys):
        click.echo(
            f"The environment variable {variable} overrides the file, here and wherever it is set.",
            err=True,
        )


def _from_stdin(keys: tuple[str, ...]) -> str:
    if sys.stdin.isatty():
        return str(click.prompt(written_key(keys), hide_input=is_secret(keys), err=True))
    return text_from_stdin("value").removesuffix("\n").removesuffix("\r")


def _nested(found: list[Effective]) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for one in found:
        node = said
        for key in one.keys[:-1]:
            node = node.setdefault(key, {})
        node[one.keys[-1]] = one.value
    return said


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
