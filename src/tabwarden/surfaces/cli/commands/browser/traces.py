"""``tabwarden trace``, ``export`` and ``replay``: read, show, export and replay traces."""

from __future__ import annotations

import datetime
import importlib.util
import json
import mimetypes
import os
import secrets
import sys
from collections.abc import Mapping
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote, unquote

import click

from tabwarden.errors import InvalidArgument
from tabwarden.files.secret_file import write_private_file
from tabwarden.surfaces.cli import output
from tabwarden.surfaces.cli.commands.base import Commands, config_option, shows_errors
from tabwarden.surfaces.cli.output import harmless
from tabwarden.surfaces.command_table import table

if TYPE_CHECKING:
    from tabwarden.export import Plan
    from tabwarden.recording import Trace


_FILE = click.argument("file", type=click.Path(path_type=Path))


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
    """Read traces, which record an agent's steps with screenshots."""


@trace.command("list")
@config_option
@shows_errors
def list_traces(config: Path | None) -> None:
    """List your traces, newest first."""
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
@_FILE
@shows_errors
def text(file: Path) -> None:
    """Print the trace FILE as text: one line for each call, with errors and console messages."""
    from tabwarden.recording import Trace, as_trace, lines_of

    trace = Trace.open(file)
    with as_trace(file):
        lines = [harmless(line) for line in lines_of(trace)]
    output.show(None, lines, as_json=False)


@trace.command()
@_FILE
@click.option(
    "--port", type=int, default=0, help="The port to listen on (default 0: any free port)."
)
@click.option("--no-open", is_flag=True, help="Print the address without opening it.")
@shows_errors
def show(file: Path, port: int, **options: Any) -> None:
    """Show the trace FILE in Playwright's viewer, or in Tabwarden's own if Playwright is not
    installed. Serves the viewer until Ctrl-C.
    """
    from tabwarden.recording import Trace
    from tabwarden.surfaces.cli.commands.browser.live import OPENED, open_link

    trace = Trace.open(file)
    with TraceServer(trace, file, port) as server:
        click.echo(server.url)
        if not options["no_open"] and open_link(server.url):
            click.echo(OPENED)
        server.serve()


@click.command()
@_FILE
@click.option(
    "--to",
    "kind",
    type=click.Choice(["playwright", "tabwarden", "pytest"]),
    required=True,
    help="The script's format.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the script to this file. Default: print the script.",
)
@shows_errors
def export(file: Path, kind: str, output: Path | None) -> None:
    """Write a script that repeats the actions in the trace FILE."""
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
            f"Tabwarden can't write {output}: {error.strerror}.", "Choose another file with "
            "--output.",
            field="output",
        ) from None  # fmt: skip
    click.echo(str(output))


@click.command()
@_FILE
@click.option("--headed", is_flag=True, help="Show the browser's window.")
@click.option(
    "--env",
    "names",
    multiple=True,
    metavar="NAME",
    help="Allow the trace to type the value of this environment variable (a secret) into pages. "
    "May be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print errors as JSON.")
@shows_errors
def replay(file: Path, headed: bool, names: tuple[str, ...], as_json: bool) -> None:
    """Repeat the trace FILE in a new browser. Stops where the page differs from the recorded
    page.
    """
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
        # The replay uses only the secrets that the user allows, and none from the configuration.
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
        click.echo(f"All {len(plan.steps)} steps succeeded.")


def _allowed(plan: Plan, names: tuple[str, ...], *, asks: bool) -> Mapping[str, str]:
    """Return the environment variables whose values a replay may type. Ask the user before allowing
    variables that are not in ``names``.
    """
    others = [name for name in plan.secrets if name not in names]
    if others and asks and sys.stdin.isatty() and sys.stderr.isatty():
        click.confirm(
            f"The trace types the values of these environment variables into pages: "
            f"{', '.join(others)}. "
            "Allow that?", abort=True, err=True,
        )  # fmt: skip
        names = (*names, *others)
    unset = [name for name in names if name not in os.environ]
    if unset:
        raise InvalidArgument(
            f"These environment variables are not set: {', '.join(unset)}.",
            "Set them, and run the command again.",
            field="env",
        )
    return {name: os.environ[name] for name in names}


_PAGE = "trace_page.html"
_POLICY = (
    "default-src 'none'; img-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'"
)


class TraceServer:
    """Serves a trace on the loopback interface. Accepts only requests whose path starts with a
    random secret.

    Args:
        trace: the trace, for Tabwarden's own viewer.
        file: the trace's file, for Playwright's viewer.
        port: the port to listen on; 0 for any free port.

    Raises:
        InvalidArgument: the port can't be used.
    """

    def __init__(self, trace: Trace, file: Path, port: int = 0) -> None:
        self._viewer = _playwright_viewer()
        self._secret = secrets.token_urlsafe(16)
        handler = partial(_Handler, trace, file, self._viewer, self._secret)
        try:
            self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        except (OSError, OverflowError) as error:
            raise InvalidArgument(
                f"Tabwarden can't listen on port {port}: {getattr(error, 'strerror', error)}.",
                "Use another port, or omit --port.",
                field="port",
            ) from None
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        """The URL to open."""
        here = f"http://localhost:{self._server.server_port}/{self._secret}/"
        if self._viewer is None:
            return here
        return f"{here}index.html?trace={quote(here + 'trace.zip', safe='')}"

    def serve(self) -> None:
        """Serve until Ctrl-C."""
        self._server.serve_forever()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    def __init__(
        self, trace: Trace, file: Path, viewer: Path | None, secret: str, *args: object
    ) -> None:
        self._trace, self._file, self._viewer, self._secret = trace, file, viewer, secret
        super().__init__(*args)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        host = (self.headers.get("Host") or "").rpartition(":")[0]
        secret, _, name = unquote(self.path.partition("?")[0].removeprefix("/")).partition("/")
        known = host in ("localhost", "127.0.0.1") and secrets.compare_digest(
            secret.encode(), self._secret.encode()
        )
        try:
            found = self._found(name) if known else None
        except (OSError, ValueError):  # the file was removed, or the name is not a valid file name
            found = None
        if found is None:
            self.send_error(404)
            return
        kind, body = found
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        if self._viewer is None:
            self.send_header("Content-Security-Policy", _POLICY)
        self.end_headers()
        self.wfile.write(body)

    def _found(self, name: str) -> tuple[str, bytes] | None:
        if name == "trace.zip":
            return "application/zip", self._file.read_bytes()
        if self._viewer is not None:
            path = (self._viewer / name).resolve()
            if not path.is_relative_to(self._viewer.resolve()) or not path.is_file():
                return None
            return mimetypes.guess_type(path.name)[0] or "text/plain", path.read_bytes()
        if name in self._trace.images:
            return "image/jpeg", self._trace.images[name]
        if name == "trace.json":
            return "application/json", json.dumps(self._trace.records).encode()
        page = files("tabwarden.surfaces.cli.commands.browser") / (name or _PAGE)
        if name in ("", "trace_page.js", "trace_page.css") and page.is_file():
            kind = mimetypes.guess_type(name or _PAGE)[0] or "text/html"
            return f"{kind}; charset=utf-8", page.read_bytes()
        return None

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Print nothing."""


def _playwright_viewer() -> Path | None:
    """Return the folder of Playwright's trace viewer; None if Playwright is not installed."""
    found = importlib.util.find_spec("playwright")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent / "driver/package/lib/vite/traceViewer"
    return folder if (folder / "index.html").is_file() else None
