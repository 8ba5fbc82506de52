"""``tabwarden trace``: list, show and read traces. ``trace save`` is an action."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import click

from tabwarden.surfaces.cli import output
from tabwarden.surfaces.cli.commands.base import Commands, shows_errors
from tabwarden.surfaces.cli.output import harmless
from tabwarden.surfaces.command_table import table


class _Traces(Commands):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), "save"])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "save":
            from tabwarden.surfaces.cli.commands.actions import ActionCommand

            return ActionCommand("trace", table())
        return super().get_command(ctx, cmd_name)


@click.group(cls=_Traces)
def trace() -> None:
    """Traces: what an agent did, step by step, with pictures."""


@trace.command("list")
@click.option("--config", type=click.Path(path_type=Path), help="The configuration file.")
@shows_errors
def list_traces(config: Path | None) -> None:
    """List the traces of this user, newest first."""
    from tabwarden.config import load_config
    from tabwarden.recording import trace_folder, traces_in

    browser = load_config(config).browser
    folders = [trace_folder(browser), *filter(None, [browser.record])]
    found = [path for folder in folders for path in traces_in(folder)]
    if not found:
        click.echo(f"There are no traces in {folders[0]}.")
        return
    for path in found:
        about = path.stat()
        moment = datetime.datetime.fromtimestamp(about.st_mtime).isoformat(" ", "seconds")
        click.echo(f"{moment}  {about.st_size // 1000:6} kB  {path}")


@trace.command()
@click.argument("file", type=click.Path(path_type=Path))
@shows_errors
def text(file: Path) -> None:
    """Print the trace FILE as text: one line for each call, with errors and console messages."""
    from tabwarden.recording import Trace, as_trace, lines_of

    trace = Trace.open(file)
    with as_trace(file):
        lines = [harmless(line) for line in lines_of(trace)]
    output.show(None, lines, as_json=False)


@trace.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--port", type=int, default=0, help="The port to listen on; 0: any free port.")
@click.option("--no-open", is_flag=True, help="Only print the address.")
@shows_errors
def show(file: Path, port: int, **options: Any) -> None:
    """Show the trace FILE in Playwright's viewer, or on a page of Tabwarden's own if Playwright is
    not installed. Ends with Ctrl-C."""
    from tabwarden.recording import Trace
    from tabwarden.surfaces.cli.commands.link_page import OPENED, open_link
    from tabwarden.surfaces.cli.commands.trace_server import TraceServer

    trace = Trace.open(file)
    with TraceServer(trace, file, port) as server:
        click.echo(server.url)
        if not options["no_open"] and open_link(server.url):
            click.echo(OPENED)
        server.serve()
