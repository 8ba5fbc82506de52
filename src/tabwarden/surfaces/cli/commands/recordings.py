"""``tabwarden export`` and ``tabwarden replay``: scripts from a trace, and a replay of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tabwarden.errors import InvalidArgument
from tabwarden.files.secret_file import write_private_file
from tabwarden.surfaces.cli.commands.base import shows_errors
from tabwarden.surfaces.cli.output import harmless

if TYPE_CHECKING:
    from tabwarden.export import Plan

_FILE = click.argument("file", type=click.Path(path_type=Path))


@click.command()
@_FILE
@click.option(
    "--to",
    "kind",
    type=click.Choice(["playwright", "tabwarden", "pytest"]),
    required=True,
    help="What the script is for.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the script to this file. Without it, print the script.",
)
@shows_errors
def export(file: Path, kind: str, output: Path | None) -> None:
    """Write a script that repeats the trace FILE."""
    from tabwarden.export import SCRIPTS, plan_of, read_trace
    from tabwarden.recording import as_trace

    with as_trace(file):
        script = SCRIPTS[kind](plan_of(read_trace(file)))
        script.encode()
    if output is None:
        click.echo(script, nl=False)
        return
    try:
        write_private_file(output, script.encode())
    except OSError as error:
        raise InvalidArgument(
            f"Tabwarden can't write {output}: {error.strerror}.", "Choose another file.",
            field="output",
        ) from None  # fmt: skip
    click.echo(str(output))


@click.command()
@_FILE
@click.option("--headed", is_flag=True, help="Show a window.")
@click.option(
    "--env",
    "names",
    multiple=True,
    metavar="NAME",
    help="Let the trace type this environment variable, for a secret. May be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print an error as JSON.")
@shows_errors
def replay(file: Path, headed: bool, names: tuple[str, ...], as_json: bool) -> None:
    """Repeat the trace FILE in a new browser. Stops where the page differs from it."""
    import asyncio

    from tabwarden.browser import Browser
    from tabwarden.config import EMULATED, load_config, with_launch
    from tabwarden.export import plan_of, read_trace
    from tabwarden.export import replay as run
    from tabwarden.recording import as_trace

    with as_trace(file):
        plan = plan_of(read_trace(file))
    secrets = _allowed(plan, names, asks=not as_json)

    async def repeat() -> None:
        launch = {name: one for name, one in plan.launch.items() if name in EMULATED}
        # The trace gets only what the person allows, and so no secrets of the configuration.
        own = load_config().browser.model_copy(update={"secrets": {}, "secrets_file": None})
        async with Browser.launch(headless=not headed, config=with_launch(own, launch)) as browser:
            await run(
                browser,
                plan,
                lambda line: None if as_json else click.echo(harmless(line)),
                secrets=secrets,
            )

    asyncio.run(repeat())
    if not as_json:
        click.echo(f"All {len(plan.steps)} steps went as recorded.")


def _allowed(plan: Plan, names: tuple[str, ...], *, asks: bool) -> Mapping[str, str]:
    """Return the environment variables that a trace may type. A person is asked for the others."""
    others = [name for name in plan.secrets if name not in names]
    if others and asks and sys.stdin.isatty() and sys.stderr.isatty():
        click.confirm(
            f"The trace types these environment variables into pages: {', '.join(others)}. "
            "Allow that?", abort=True, err=True,
        )  # fmt: skip
        names = (*names, *others)
    unset = [name for name in names if name not in os.environ]
    if unset:
        raise InvalidArgument(
            f"These environment variables are not set: {', '.join(unset)}.",
            "Set them, and call again.",
            field="env",
        )
    return {name: os.environ[name] for name in names}
