"""The command line. A command imports what it needs when it runs, so that ``--help`` is quick."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import update_wrapper
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from tabwarden.budget import Budget
from tabwarden.errors import InvalidArgument, TabwardenError

__all__ = ["EXIT_CODES", "main"]

F = TypeVar("F", bound=Callable[..., Any])

EXIT_CODES = {
    "invalid_argument": 2,
    "launch_failed": 3,
    "endpoint_unreachable": 3,
    "browser_gone": 3,
    "budget_exceeded": 4,
    "cancelled": 130,
}
"""Exit status by error code; every other error is 1."""


def told(function: F) -> F:
    """Turn errors into words on stderr and an exit status."""

    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TabwardenError as error:
            click.echo(f"{error.code}: {error.message}", err=True)
            if error.hint:
                click.echo(error.hint, err=True)
            sys.exit(EXIT_CODES.get(error.code, 1))
        except KeyboardInterrupt:
            click.echo("cancelled", err=True)
            sys.exit(EXIT_CODES["cancelled"])

    return update_wrapper(run, function)  # type: ignore[return-value]


class TimeoutMs(click.ParamType[float]):
    """Milliseconds that a call may take."""

    name = "milliseconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number; a usage error when it is none."""
        try:
            return Budget(float(value)).timeout_ms
        except ValueError:
            self.fail(f"{value!r} is no number of milliseconds.", param, ctx)
        except InvalidArgument as error:
            self.fail(error.message, param, ctx)


_SERVING_OPTIONS = (
    click.option("--endpoint", help="Attach to this running browser (http://…, ws://…)."),
    click.option("--executable", type=click.Path(path_type=Path), help="The browser to launch."),
    click.option("--user-data-dir", type=click.Path(path_type=Path), help="A profile to keep."),
    click.option("--headed", is_flag=True, help="Launch with a window."),
    click.option("--config", type=click.Path(path_type=Path), help="The configuration file."),
    click.option("--timeout-ms", type=TimeoutMs(), help="Budget of a call that names none."),
    click.option(
        "--log-level", default="WARNING", show_default=True, help="Log to stderr from here."
    ),
    click.option(
        "--log-format",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Log as key=value lines, or as JSON.",
    ),
)


def serving_options(command: F) -> F:
    """The options of commands that serve browsers: which, how long, what is logged."""
    for option in reversed(_SERVING_OPTIONS):
        command = option(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tabwarden")
def main() -> None:
    """Tabwarden: the browser that an AI agent can't get stuck in."""


@main.command()
@serving_options
@told
def mcp(
    endpoint: str | None,
    executable: Path | None,
    user_data_dir: Path | None,
    headed: bool,
    config: Path | None,
    timeout_ms: float | None,
    log_level: str,
    log_format: Literal["text", "json"],
) -> None:
    """Serve an MCP host over stdin and stdout.

    A browser is launched when the host first navigates, and ends with this process.
    """
    import asyncio

    from tabwarden.config import load_config
    from tabwarden.surfaces.logs import log_to_stderr
    from tabwarden.surfaces.mcp import serve_stdio
    from tabwarden.surfaces.opening import session_of

    log_to_stderr(log_level, log_format)
    loaded = load_config(
        config,
        endpoint=endpoint,
        executable=executable,
        user_data_dir=user_data_dir,
        headless=False if headed else None,
        default_timeout_ms=timeout_ms,
    ).browser
    asyncio.run(serve_stdio(session_of(loaded), loaded))


@main.command()
@click.option("--host", help="The address or name to listen on: 127.0.0.1 if none is named.")
@click.option("--port", type=int, help="The port to listen on; 0: a free one.")
@serving_options
@told
def serve(
    host: str | None,
    port: int | None,
    endpoint: str | None,
    executable: Path | None,
    user_data_dir: Path | None,
    headed: bool,
    config: Path | None,
    timeout_ms: float | None,
    log_level: str,
    log_format: Literal["text", "json"],
) -> None:
    """Serve the HTTP control API until SIGTERM or Ctrl-C.

    Says on stderr where it listens, and in which file the token is that clients must show.
    """
    from functools import partial

    from tabwarden.config import load_config
    from tabwarden.surfaces.http import serve as serve_http
    from tabwarden.surfaces.logs import log_to_stderr

    log_to_stderr(log_level, log_format)
    loaded = load_config(
        config,
        server={"host": host, "port": port},
        endpoint=endpoint,
        executable=executable,
        user_data_dir=user_data_dir,
        headless=False if headed else None,
        default_timeout_ms=timeout_ms,
    )
    serve_http(loaded, partial(click.echo, err=True))


@main.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--refresh", is_flag=True, help="Start each browser again instead of remembering.")
@click.pass_context
@told
def browsers(context: click.Context, as_json: bool, refresh: bool) -> None:
    """List the browsers of this system, and which one would be used, and why."""
    if context.invoked_subcommand is None:
        from tabwarden.surfaces.browsers import list_browsers

        list_browsers(as_json=as_json, refresh=refresh)


@browsers.command("install")
@click.option(
    "--from-file",
    "--from",
    "from_file",
    type=click.Path(path_type=Path),
    help="A zip, tar or executable to use.",
)
@click.option("--if-missing", is_flag=True, help="Only if no browser works yet.")
@told
def install_command(from_file: Path | None, if_missing: bool) -> None:
    """Install a browser: Chrome for Testing, else npm's Chromium, else the system's package."""
    from tabwarden.surfaces.browsers import install_browser

    install_browser(from_file=from_file, if_missing=if_missing)


@main.command()
@click.option("--headed", is_flag=True, help="With a window.")
@click.option("--keep", is_flag=True, help="Leave the browser open at the end, until Enter.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo-output"),
    show_default=True,
    help="Where the screenshot goes.",
)
@told
def demo(headed: bool, keep: bool, output: Path) -> None:
    """Run a scripted agent through a small shop: dialogs, frames, a hang, a crash."""
    from tabwarden.demo.story import run_demo

    sys.exit(run_demo(headed=headed, keep=keep, output=output))


if __name__ == "__main__":
    main()
