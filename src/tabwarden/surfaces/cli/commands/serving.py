"""Commands that serve browsers to other programs: ``mcp`` and ``serve``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from tabwarden.surfaces.cli.client.options import OPENING
from tabwarden.surfaces.cli.commands.base import TimeoutMs, shows_errors

if TYPE_CHECKING:
    from tabwarden.actions import Toolset
    from tabwarden.config import Config
    from tabwarden.live_config import LiveConfig
    from tabwarden.surfaces.command_table.types import CommandOption

F = TypeVar("F", bound=Callable[..., Any])


def _launch_option(option: CommandOption) -> Callable[[F], F]:
    return click.option(
        option["name"],
        "/".join(option["flags"]),
        is_flag=option["kind"] in ("flag", "switch"),
        multiple=option["kind"] == "texts",
        default=None,
        help=option["help"],
    )


_SERVING_OPTIONS = (
    click.option("--endpoint", help="Attach to this running browser (http://…, ws://…)."),
    click.option(
        "--fleet",
        is_flag=False,
        flag_value="auto",
        metavar="[HOST:PORT]",
        help="Run the browsers on a fleet; without a value, on the one that this machine is in.",
    ),
    click.option("--executable", type=click.Path(path_type=Path), help="The browser to launch."),
    click.option(
        "--user-data-dir", type=click.Path(path_type=Path), help="Permanent profile folder."
    ),
    click.option(
        "--init-script",
        "init_scripts",
        type=click.Path(path_type=Path),
        multiple=True,
        help="Run this file in every page before its own scripts. May be repeated.",
    ),
    click.option("--profile", metavar="NAME", help="Permanent profile by its name."),
    click.option("--restore", metavar="NAME", help="Load this saved state, and save it regularly."),
    click.option(
        "--headless/--headed",
        default=None,
        help="Launch without a window (the default), or with one.",
    ),
    click.option(
        "--browser",
        "channel",
        type=click.Choice(["chrome", "edge", "msedge", "chromium", "brave"]),
        help="Which browser to look for.",
    ),
    *(_launch_option(option) for option in OPENING),
    click.option(
        "--upload-dir",
        type=click.Path(path_type=Path),
        help="Folder whose files pages may get (filenames).",
    ),
    click.option("--download-dir", type=click.Path(path_type=Path), help="Folder for downloads."),
    click.option(
        "--output-dir",
        type=click.Path(path_type=Path),
        help="Folder for results that a call saves (filename).",
    ),
    click.option(
        "--images",
        type=click.Choice(["inline", "file", "omit"]),
        help="Pictures in answers: inline, a file in the output folder instead, or nothing.",
    ),
    click.option("--config", type=click.Path(path_type=Path), help="The configuration file."),
    click.option(
        "--record", type=click.Path(path_type=Path), help="Folder for traces of all tasks."
    ),
    click.option("--har", type=click.Path(path_type=Path), help="HAR file for the requests."),
    click.option("--video", type=click.Path(path_type=Path), help="Video file (.webm or .mp4)."),
    click.option(
        "--secrets",
        type=click.Path(path_type=Path),
        help="A dotenv file of secrets, which no answer shows.",
    ),
    click.option("--mask", is_flag=True, help="Hide what looks like a key or a token in answers."),
    click.option("--timeout-ms", type=TimeoutMs(), help="Time limit of a call without timeout_ms."),
    click.option(
        "--log-level", default="WARNING", show_default=True, help="Lowest level to log to stderr."
    ),
    click.option(
        "--log-format",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Log format: key=value lines or JSON.",
    ),
)


def serving_options(command: F) -> F:
    """Add the common options of ``mcp`` and ``serve``: the browser, time limits, logging."""
    for option in reversed(_SERVING_OPTIONS):
        command = option(command)
    return command


def _live(
    server: Mapping[str, Any],
    toolset: Toolset | None = None,
    *,
    endpoint: str | None,
    fleet: str | None,
    executable: Path | None,
    user_data_dir: Path | None,
    profile: str | None,
    restore: str | None,
    headless: bool | None,
    upload_dir: Path | None,
    download_dir: Path | None,
    output_dir: Path | None,
    images: Literal["inline", "file", "omit"] | None,
    init_scripts: tuple[Path, ...],
    config: Path | None,
    record: Path | None,
    har: Path | None,
    video: Path | None,
    secrets: Path | None,
    mask: bool,
    timeout_ms: float | None,
    log_level: str,
    log_format: Literal["text", "json"],
    **launching: Any,
) -> LiveConfig:
    """Set up logging. Return the configuration with the options of ``serving_options`` and the
    toolset's own defaults."""
    from functools import partial

    from tabwarden.config import config_file, load_config
    from tabwarden.live_config import LiveConfig
    from tabwarden.surfaces.logs import log_to_stderr

    log_to_stderr(log_level, log_format)
    launching = {
        name: [*value] if isinstance(value, tuple) else value
        for name, value in launching.items()
        if value not in (None, ())
    }
    if fleet is not None:
        others = {"--endpoint": endpoint, "--executable": executable,
                  "--user-data-dir": user_data_dir, "--profile": profile,
                  "--headed": True if headless is False else None,
                  **_flags_of(launching)}  # fmt: skip
        endpoint = _fleet_endpoint(fleet, others, load_config(config).fleet.checkpoint_s)
    load = partial(
        load_config,
        config,
        server={**server, "images": images},
        endpoint=endpoint,
        executable=executable,
        user_data_dir=user_data_dir,
        profile=profile,
        restore=restore,
        headless=headless,
        init_scripts=list(init_scripts) or None,
        upload_dir=upload_dir,
        download_dir=download_dir,
        output_dir=output_dir,
        default_timeout_ms=timeout_ms,
        record=record,
        record_har=har,
        record_video=video,
        secrets_file=secrets,
        mask=mask or None,
        **launching,
    )

    def with_defaults() -> Config:
        loaded = load()
        browser = loaded.browser if toolset is None else toolset.obeyed(loaded.browser)
        return loaded.model_copy(update={"browser": browser})

    return LiveConfig(with_defaults, config_file(config))


def _flags_of(launching: Mapping[str, Any]) -> dict[str, Any]:
    flags = {option["flags"][0]: launching.get(option["name"]) for option in OPENING}
    return {"--browser": launching.get("channel"), **flags}


def _fleet_endpoint(address: str, others: Mapping[str, object], checkpoint_s: float) -> str:
    """Connect to a fleet. Return the endpoint of its browsers.

    Raises:
        InvalidArgument: another option says which browser to use.
        NotSupported: Ray is not installed. EndpointUnreachable: no fleet answers.
    """
    from tabwarden.errors import InvalidArgument
    from tabwarden.fleet import show_metrics_of
    from tabwarden.fleet.client import connect_coordinator, fleet_address
    from tabwarden.surfaces.requirements import check_extra

    for option, given in others.items():
        if given is not None:
            raise InvalidArgument(
                f"{option} can't be combined with --fleet: the fleet's nodes start the browsers.",
                f"Omit {option}, or set it in the configuration of the nodes.",
                field=option.removeprefix("--").replace("-", "_"),
            )
    check_extra("fleet")
    connect_coordinator(address)
    show_metrics_of(address)
    return fleet_address(address, checkpoint_s=checkpoint_s)


@click.command()
@click.option(
    "--tools",
    default="core",
    show_default=True,
    help="Tools for the model: core, full, or groups such as storage,files.",
)
@click.option("--dialect", help="Use the tools from a different tool set instead.")
@click.option(
    "--structured",
    type=click.Choice(["none", "slim", "full"]),
    default="none",
    show_default=True,
    help="Structured content of the answers, beside their text.",
)
@click.option(
    "--http", "over_http", is_flag=True, help="Serve over HTTP, for any number of clients."
)
@click.option("--host", help="With --http: the address to listen on (default 127.0.0.1).")
@click.option("--port", type=int, help="With --http: the port (default 8415; 0: any free port).")
@click.option(
    "--setup",
    metavar="HOST",
    help="Print the settings with which HOST starts this: claude-code, cursor, vscode, ....",
)
@click.option("--write", is_flag=True, help="With --setup: write them into the host's file.")
@click.option(
    "--setup-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="With --setup: the host's file, if it is another one, such as .vscode/mcp.json.",
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

    A browser opens when the host first navigates, and closes when the host disconnects. With
    --http, each client has its own browser. The server then prints to stderr its URL and the path
    of the file with the token. Clients must send this token.
    """
    import asyncio
    from functools import partial

    from tabwarden.errors import InvalidArgument
    from tabwarden.surfaces.requirements import check_extra
    from tabwarden.toolsets import toolset_of

    named = {"host": host, "port": port} if not over_http else {}
    _needs("--http", named)
    if setup is None:
        _needs("--setup HOST", {"write": write or None, "setup_file": setup_file})
    elif over_http:
        raise InvalidArgument(
            "--setup is for hosts that start Tabwarden; with --http they don't.",
            "Omit --http, or give the host the URL that tabwarden mcp --http prints.",
            field="setup",
        )
    toolset = toolset_of(tools, dialect)
    live = _live({"host": host, "port": port}, toolset, **opening)
    if setup is not None:
        from tabwarden.surfaces.cli.commands.host_setup import set_up

        set_up(context, setup, setup_file, write=write)
        return
    check_extra("mcp")
    if over_http:
        from tabwarden.surfaces.mcp.http import DEFAULT_PORT, serve_http

        tell = partial(click.echo, err=True)
        port = DEFAULT_PORT if port is None else port
        serve_http(live, toolset, tell, port=port, structured=structured)
    else:
        from tabwarden.surfaces.mcp import serve_stdio

        asyncio.run(serve_stdio(live, toolset, structured=structured))


def _needs(option: str, given: Mapping[str, object]) -> None:
    """Raise InvalidArgument for an option that works only with another one."""
    from tabwarden.errors import InvalidArgument

    for field, value in given.items():
        if value is not None:
            flag = f"--{field.replace('_', '-')}"
            raise InvalidArgument(
                f"{flag} works only with {option}.", f"Add {option}.", field=field
            )


@click.command()
@click.option("--host", help="The address or name to listen on (default 127.0.0.1).")
@click.option("--port", type=int, help="The port to listen on; 0: any free port.")
@serving_options
@shows_errors
def serve(
    host: str | None,
    port: int | None,
    **opening: Any,
) -> None:
    """Serve the HTTP control API until SIGTERM or Ctrl-C.

    The server prints to stderr its URL and the path of the file with the token. Clients must send
    this token. The server applies changes of the configuration file at once, except to its host,
    port and token.
    """
    from functools import partial

    from tabwarden.surfaces.requirements import check_extra

    check_extra("serve")
    from tabwarden.surfaces.http import serve as serve_http

    live = _live({"host": host, "port": port}, **opening)
    serve_http(live, partial(click.echo, err=True))
