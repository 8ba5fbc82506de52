"""``tabwarden config``: show the configuration and its sources, or change the file."""

from __future__ import annotations

from pathlib import Path

import click

from tabwarden.surfaces.cli.commands.base import Commands, shows_errors

_of_file = click.option(
    "--config", "path", type=click.Path(path_type=Path), help="The configuration file."
)


@click.group(cls=Commands)
def config() -> None:
    """Show the configuration, with where each value comes from, or change its file.

    Keys are written with dots: browser.timeouts_ms.evaluate. Servers that run see a change of the
    file at once.
    """


@config.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--yaml", "as_yaml", is_flag=True, help="Print YAML in the form of the file.")
@_of_file
@shows_errors
def show(path: Path | None, as_json: bool, as_yaml: bool) -> None:
    """Print every key, its value, and whether it comes from the file, a variable, or by default."""
    from tabwarden.surfaces.cli.commands.config_file import print_all

    print_all(path, "json" if as_json else "yaml" if as_yaml else "text")


@config.command()
@click.argument("key")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@_of_file
@shows_errors
def get(path: Path | None, key: str, as_json: bool) -> None:
    """Print the value of KEY as it takes effect; of a section all of it."""
    from tabwarden.surfaces.cli.commands.config_file import print_one

    print_one(path, key, "json" if as_json else "yaml")


@config.command("set", context_settings={"ignore_unknown_options": True})
@click.argument("key")
@click.argument("value")
@_of_file
@shows_errors
def set_(path: Path | None, key: str, value: str) -> None:
    """Set KEY in the file to VALUE, which is YAML; - reads it from standard input.

    A secret belongs there, as others can read the arguments of processes; on a terminal it is asked
    for and not shown. Comments and order of the file stay. Nothing is written that would be wrong.
    """
    from tabwarden.surfaces.cli.commands.config_file import set_one

    set_one(path, key, value)


@config.command()
@click.argument("key")
@_of_file
@shows_errors
def unset(path: Path | None, key: str) -> None:
    """Remove KEY from the file: its default holds again. Also for what is there by mistake."""
    from tabwarden.surfaces.cli.commands.config_file import unset_one

    unset_one(path, key)


@config.command("path")
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, including whether the file exists."
)
@_of_file
@shows_errors
def path_(path: Path | None, as_json: bool) -> None:
    """Print where the file is, whether or not it is there."""
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
