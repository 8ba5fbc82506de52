"""``tabwarden mcp --setup HOST``: what a host needs to start Tabwarden."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from tabwarden.surfaces.cli.client.options import OPENING
from tabwarden.surfaces.hosts import program, setup_for

_OWN = {"setup", "write", "setup_file"}
_PATHS = {option["name"] for option in OPENING if option.get("path")}


def set_up(context: click.Context, name: str, file: Path | None, *, write: bool) -> None:
    """Print a host's settings for this command's other options, or write them into its file.

    Raises:
        InvalidArgument: there is no such host, or its file can't be changed. It stays as it was.
    """
    setup = setup_for(name, [*program(), "mcp", *_words(context)], file)
    if write:
        done = setup.write()
        if not done.changed:
            click.echo(f"{done.file} has it already.")
            return
        kept = f" The settings before are in {done.backup}." if done.backup else " The file is new."
        click.echo(f"Tabwarden is in {done.file}.{kept}\n{setup.host.then}")
        return
    click.echo(setup.snippet)
    tell = [f"Put this into {setup.file}, or let Tabwarden do it: add --write."]
    if setup.command:
        tell.append(f"Or run: {setup.command}")
    click.echo("\n".join(tell), err=True)


def _words(context: click.Context) -> list[str]:
    """Return the options that were given, as the host has to give them: with absolute paths."""
    words: list[str] = []
    for option in context.command.params:
        name = option.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if not given or name in _OWN or not isinstance(option, click.Option):
            continue
        value = context.params[name]
        for one in value if isinstance(value, tuple) else (value,):
            if option.is_flag:
                words.append(option.opts[0] if one else option.secondary_opts[0])
                continue
            is_path = name in _PATHS or isinstance(option.type, click.Path)
            said = (
                str(Path(one).expanduser().absolute())
                if is_path
                else f"{one:g}"
                if isinstance(one, float)
                else str(one)
            )
            # "=": the value may begin with a dash, or may be omitted.
            words += (
                [f"{option.opts[0]}={said}"]
                if said.startswith("-") or name == "fleet"
                else [option.opts[0], said]
            )
    return words
