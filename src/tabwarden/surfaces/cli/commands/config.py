"""``tabwarden config``: show the configuration and its sources, or change its file."""

from __future__ import annotations

from pathlib import Path

import click

from tabwarden.surfaces.cli.commands.base import Commands, shows_errors

_of_file = click.option(
    "--config", "path", type=click.Path(path_type=Path), help="The configuration file."
)


@click.group(cls=Commands)
def config() -> None:
    """Show the configuration and the source of each value, or change the configuration file.

    Write keys with dots: browser.timeouts_ms.evaluate. Running servers apply a change at once.
    """


@config.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--yaml", "as_yaml", is_flag=True, help="Print YAML in the form of the file.")
@_of_file
@shows_errors
def show(path: Path | None, as_json: bool, as_yaml: bool) -> None:
    """Print every key, its value, and its source: the file, a variable, or the default."""
    from tabwarden.surfaces.cli.commands.config_file import print_all

    print_all(path, "json" if as_json else "yaml" if as_yaml else "text")


@config.command()
@click.argument("key")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@_of_file
@shows_errors
def get(path: Path | None, key: str, as_json: bool) -> None:
    """Print the effective value of KEY. If KEY is a section, print the whole section."""
    from tabwarden.surfaces.cli.commands.config_file import print_one

    print_one(path, key, "json" if as_json else "yaml")


@config.command("set", context_settings={"ignore_unknown_options": True})
@click.argument("key")
@click.argument("value")
@_of_file
@shows_errors
def set_(path: Path | None, key: str, value: str) -> None:
    """Set KEY in the file to VALUE, in YAML. If VALUE is -, read it from standard input.

    Use - for a secret, because other users can see the arguments of a process. On a terminal, the
    command then prompts for the value and hides a secret. The file keeps its comments and its
    order. An invalid value is not written.
    """
    from tabwarden.surfaces.cli.commands.config_file import set_one

    set_one(path, key, value)


@config.command()
@click.argument("key")
@_of_file
@shows_errors
def unset(path: Path | None, key: str) -> None:
    """Remove KEY from the file, so that its default applies. This also removes an unknown key."""
    from tabwarden.surfaces.cli.commands.config_file import unset_one

    unset_one(path, key)


@config.command("path")
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, including whether the file exists."
)
@_of_file
@shows_errors
def path_(path: Path | None, as_json: bool) -> None:
    """Print the path of the file, even if the file does not exist."""
    import json
    import os

    from tabwarden.config import config_file

    file = config_file(path)
    click.echo(
        json.dumps({"path": str(file), "exists": os.path.isfile(file)}) if as_json else str(file)
    )


@config.command()
@shows_errors
def schema() -> None:
    """Print the JSON Schema of the file, for editors."""
    import json

    from tabwarden.config.schema import config_schema

    click.echo(json.dumps(config_schema(), indent=2))
