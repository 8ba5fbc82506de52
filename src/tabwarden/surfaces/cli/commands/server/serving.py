"""``tabwarden mcp`` and ``serve``: serve browsers to other programs.

``mcp --setup HOST`` prints or writes the settings that a host needs to start Tabwarden.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click
from click.core import ParameterSource

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.cli.commands.actions import declared
from tabwarden.surfaces.cli.commands.base import TimeoutMs, shows_errors
from tabwarden.surfaces.command_table.options import KEEPING, OPENING, STARTING, settings_of

if TYPE_CHECKING:
    from tabwarden.config import BrowserConfig
    from tabwarden.live_config import LiveConfig
    from tabwarden.surfaces.command_table.types import CommandOption

F = TypeVar("F", bound=Callable[..., Any])
_FOLDER = click.Path(path_type=Path)
_OF_NODES = ("endpoint", "executable", "user_data_dir", "profile")
"""The options that the nodes determine if --fleet is set, in addition to OPENING."""


def _declared(options: Iterable[CommandOption]) -> Iterator[Callable[[F], F]]:
    for option in options:
        names, settings = declared(option)
        yield click.option(*names, **settings)


_SERVING_OPTIONS = (
    click.option(
        "--fleet",
        is_flag=False,
        flag_value="auto",
        metavar="[HOST:PORT]",
        help="Run the browsers on a fleet. Without a value, use the fleet of this machine.",
    ),
    *_declared(STARTING),
    click.option(
        "--browser",
        "channel",
        type=click.Choice(["chrome", "edge", "msedge", "chromium", "brave"]),
        help="The browser to look for.",
    ),
    *_declared(OPENING),
    click.option(
        "--upload-dir",
        type=_FOLDER,
        help="The folder with the files that tools may upload to pages (parameter filenames).",
    ),
    click.option("--download-dir", type=_FOLDER, help="The folder for downloads."),
    click.option(
        "--output-dir",
        type=_FOLDER,
        help="The folder for results that a call saves to a file (parameter filename).",
    ),
    click.option(
        "--images",
        type=click.Choice(["inline", "file", "omit"]),
        help="How results contain images: inline, as a file in the output folder, or not at all.",
    ),
    *_declared(KEEPING),
    click.option(
        "--timeout-ms", type=TimeoutMs(), help="The time limit for a call without timeout_ms."
    ),
    click.option(
        "--log-level",
        default="WARNING",
        show_default=True,
        help="The lowest level to log to stderr.",
    ),
    click.option(
        "--log-format",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="The log format: key=value lines or JSON.",
    ),
)


def serving_options(command: F) -> F:
    """Add the common options of ``mcp`` and ``serve``: the browser, time limits, logging."""
    for option in reversed(_SERVING_OPTIONS):
        command = option(command)
    return command


def _live(
    server: Mapping[str, Any],
    *,
    fleet: str | None,
    images: Literal["inline", "file", "omit"] | None,
    config: str | None,
    log_level: str,
    log_format: Literal["text", "json"],
    **options: Any,
) -> LiveConfig:
    """Set up logging. Return the configuration with the command's options."""
    from tabwarden.config import config_file, load_config
    from tabwarden.live_config import LiveConfig
    from tabwarden.surfaces.logs import log_to_stderr

    log_to_stderr(log_level, log_format)
    if fleet is not None:
        settings = settings_of(options)
        headed = True if settings.get("headless") is False else None
        others = {f"--{name.replace('_', '-')}": settings.get(name) for name in _OF_NODES}
        others |= {"--headed": headed, "--browser": settings.get("channel")}
        others |= {one["flags"][0]: settings.get(one["name"]) for one in OPENING}
        options["endpoint"] = _fleet_endpoint(fleet, others, load_config(config).fleet.checkpoint_s)
    load = partial(load_config, config, server={**server, "images": images}, **settings_of(options))

    return LiveConfig(load, config_file(config))


def _fleet_endpoint(address: str, others: Mapping[str, object], checkpoint_s: float) -> str:
    """Connect to a fleet. Return the endpoint of its browsers.

    Raises:
        InvalidArgument: another option selects a browser.
        NotSupported: Ray is not installed. EndpointUnreachable: the fleet is not responding.
    """
    from tabwarden.fleet import show_metrics_of
    from tabwarden.fleet.client import connect_coordinator, fleet_address

    for option, value in others.items():
        if value is not None:
            raise InvalidArgument(
                f"{option} can't be combined with --fleet: the fleet's nodes start the browsers.",
                f"Omit {option}, or set it in the nodes' configuration.",
                field=option.removeprefix("--").replace("-", "_"),
            )
    from tabwarden.surfaces.requirements import check_extra

    check_extra("fleet")
    connect_coordinator(address)
    show_metrics_of(address)
    return fleet_address(address, checkpoint_s=checkpoint_s)


@click.command()
@click.option(
    "--tools",
    default="core",
    show_default=True,
    help="The tools to offer to the model: core, full, or groups such as storage,files.",
)
@click.option("--dialect", help="Use another product's tool names and parameters instead.")
@click.option(
    "--structured",
    type=click.Choice(["none", "slim", "full"]),
    default="none",
    show_default=True,
    help="How much structured content results contain in addition to text.",
)
@click.option(
    "--http", "over_http", is_flag=True, help="Serve over HTTP, for any number of clients."
)
@click.option("--host", help="With --http: the address to listen on (default 127.0.0.1).")
@click.option(
    "--port", type=int, help="With --http: the port to listen on (default 8415; 0: any free port)."
)
@click.option(
    "--setup",
    metavar="HOST",
    help="Print the settings that make the program HOST (claude-code, cursor, vscode, ...) "
    "start Tabwarden.",
)
@click.option(
    "--write", is_flag=True, help="With --setup: write the settings into the host's settings file."
)
@click.option(
    "--setup-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="With --setup: the path of the host's settings file, such as .vscode/mcp.json, if it "
    "is not the default.",
)
@serving_options
@click.pass_context
@shows_errors
def mcp(
    context: click.Context,
    /,
    tools: str,
    dialect: str | None,
    structured: Literal["none", "slim", "full"],
    over_http: bool,
    host: str | None,
    port: int | None,
    setup: str | None,
    write: bool,
    setup_file: Path | None,
    **opening: Any,
) -> None:
    """Serve one MCP host over stdin and stdout, or any number of clients with --http.

    The browser opens at the first navigation, and closes when the host disconnects. With --http,
    each client has its own browser, and the server prints its URL and the path of its token file to
    stderr. Clients must send the token.
    """
    named = {"host": host, "port": port} if not over_http else {}
    _needs("--http", named)
    if setup is None:
        _needs("--setup HOST", {"write": write or None, "setup_file": setup_file})
    elif over_http:
        raise InvalidArgument(
            "--setup is for hosts that start Tabwarden, and --http is for a server that you start.",
            "Omit --http, or give the host the URL that tabwarden mcp --http prints.",
            field="setup",
        )
    live = _live({"host": host, "port": port}, **opening)
    if setup is None and not over_http:
        _launch_early(live.browser)
    from tabwarden.toolsets import toolset_of  # imports all actions

    toolset = toolset_of(tools, dialect)
    live.adjust(
        lambda config: config.model_copy(update={"browser": toolset.obeyed(config.browser)})
    )
    if setup is not None:
        _set_up(context, setup, setup_file, write=write)
        return
    if over_http:
        from tabwarden.surfaces.requirements import check_extra

        check_extra("mcp")
        from tabwarden.surfaces.mcp.http import DEFAULT_PORT, serve_http

        tell = partial(click.echo, err=True)
        port = DEFAULT_PORT if port is None else port
        serve_http(live, toolset, tell, port=port, structured=structured)
    else:
        from tabwarden.surfaces.mcp.front import the_front
        from tabwarden.surfaces.mcp.stdio import serve_stdio

        asyncio.run(serve_stdio(live, toolset, the_front(), structured=structured))


def _launch_early(config: BrowserConfig) -> None:
    """Launch the browser if a host already waits for it."""
    from tabwarden.surfaces.mcp.front import opened_front

    front = opened_front()
    if front is not None and front.awaits_browser():
        from tabwarden.browser.opening_request import launch_early
        from tabwarden.engine import engine_loop

        engine_loop().submit(launch_early(config))


def _needs(option: str, options: Mapping[str, object]) -> None:
    """Raise InvalidArgument if an option is set that works only with the option ``option``."""

    for field, value in options.items():
        if value is not None:
            flag = f"--{field.replace('_', '-')}"
            raise InvalidArgument(
                f"{flag} works only with {option}.", f"Add {option}.", field=field
            )


@click.command()
@click.option("--host", help="The address or host name to listen on (default 127.0.0.1).")
@click.option("--port", type=int, help="The port to listen on (0: any free port).")
@serving_options
@shows_errors
def serve(host: str | None, port: int | None, **opening: Any) -> None:
    """Serve the HTTP control API until SIGTERM or Ctrl-C.

    The server prints its URL and the path of its token file to stderr. Clients must send the token.
    The server applies changes to the configuration file at once, except changes to its host, port
    and token.
    """
    from tabwarden.surfaces.requirements import check_extra

    check_extra("serve")
    from tabwarden.surfaces.http import serve as serve_http

    live = _live({"host": host, "port": port}, **opening)
    serve_http(live, partial(click.echo, err=True))


_OWN = {"setup", "write", "setup_file"}


def _set_up(context: click.Context, name: str, file: Path | None, *, write: bool) -> None:
    """Print a host's settings for this command's other options, or write them into its file.

    Raises:
        InvalidArgument: the host is unknown, or its file can't be changed. The file then stays
            unchanged.
    """
    from tabwarden.surfaces.hosts import program, setup_for

    setup = setup_for(name, [*program(), "mcp", *_words(context)], file)
    if write:
        done = setup.write()
        if not done.changed:
            click.echo(f"{done.file} already has these settings.")
            return
        kept = (
            f" The previous settings are in {done.backup}." if done.backup else " The file is new."
        )
        click.echo(f"Tabwarden was added to {done.file}.{kept}\n{setup.host.then}")
        return
    click.echo(setup.snippet)
    tell = [f"Add this to {setup.file}, or let Tabwarden do it with --write."]
    if setup.command:
        tell.append(f"Or run: {setup.command}")
    click.echo("\n".join(tell), err=True)


def _words(context: click.Context) -> list[str]:
    """Return the options from the command line, with absolute paths, for the host's command."""
    words: list[str] = []
    for option in context.command.params:
        name = option.name or ""
        is_set = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if not is_set or name in _OWN or not isinstance(option, click.Option):
            continue
        value = context.params[name]
        for one in value if isinstance(value, tuple) else (value,):
            if option.is_flag:
                words.append(option.opts[0] if one else option.secondary_opts[0])
                continue
            is_path = isinstance(option.type, click.Path)
            text = (
                str(Path(one).expanduser().absolute())
                if is_path
                else f"{one:g}"
                if isinstance(one, float)
                else str(one)
            )
            # Use "=", because the value may begin with a dash, or may be omitted.
            words += (
                [f"{option.opts[0]}={text}"]
                if text.startswith("-") or name == "fleet"
                else [option.opts[0], text]
            )
    return words
