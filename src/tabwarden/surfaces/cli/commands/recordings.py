"""``tabwarden export`` and ``tabwarden replay``: scripts from a trace, and a replay of it."""

from __future__ import annotations

from pathlib import Path

import click

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.cli.commands.base import shows_errors
from tabwarden.surfaces.cli.output import harmless

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

    script = SCRIPTS[kind](plan_of(read_trace(file)))
    if output is None:
        click.echo(script, nl=False)
        return
    try:
        output.write_text(script, encoding="utf-8")
    except OSError as error:
        raise InvalidArgument(
            f"Tabwarden can't write {output}: {error.strerror}.", "Choose another file.",
            field="output",
        ) from None  # fmt: skip
    click.echo(str(output))


@click.command()
@_FILE
@click.option("--headed", is_flag=True, help="Show a window.")
@click.option("--json", "as_json", is_flag=True, help="Print an error as JSON.")
@shows_errors
def replay(file: Path, headed: bool, as_json: bool) -> None:
    """Repeat the trace FILE in a new browser. Stops where the page differs from it."""
    import asyncio

    from tabwarden.browser import Browser
    from tabwarden.config import EMULATED, load_config, with_launch
    from tabwarden.export import plan_of, read_trace
    from tabwarden.export import replay as run

    plan = plan_of(read_trace(file))

    async def repeat() -> None:
        launch = {name: one for name, one in plan.launch.items() if name in EMULATED}
        config = with_launch(load_config().browser, launch)
        async with Browser.launch(headless=not headed, config=config) as browser:
            await run(browser, plan, lambda line: None if as_json else click.echo(harmless(line)))

    asyncio.run(repeat())
    if not as_json:
        click.echo(f"All {len(plan.steps)} steps went as recorded.")
