"""Start an executable and open its wire. If that fails, remove everything that we created."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shlex
import shutil
import sys
from collections.abc import Collection, Coroutine, Iterable, Mapping, MutableMapping
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from tabwarden.budget import Budget
from tabwarden.endpoints.attaching import HandoverWire, ask_product
from tabwarden.endpoints.launching.certificates import (
    check_reads_authorities,
    read_authorities,
    trust,
)
from tabwarden.endpoints.launching.explain import launch_failed
from tabwarden.endpoints.launching.extensions import load_extensions
from tabwarden.endpoints.launching.flags import (
    build_flags,
    sandbox_is_impossible,
    sandbox_was_refused,
)
from tabwarden.endpoints.launching.launched import Custody, LaunchedBrowser
from tabwarden.endpoints.launching.options import LaunchOptions
from tabwarden.endpoints.launching.process import BrowserProcess, PipeEnds, spawn
from tabwarden.endpoints.profiles import Janitor, ProfileClaim, Scratch, check_profile
from tabwarden.errors import InvalidArgument, LaunchFailed
from tabwarden.files.plain_file import read_plain_file
from tabwarden.files.private_folder import make_private_folder
from tabwarden.own_ports import PortClaim
from tabwarden.wire import PipeWire, Wire, open_websocket

_OPENER = "xdg-open"


def keep_programs(
    scratch: Path, environment: MutableMapping[str, str], schemes: Iterable[str]
) -> None:
    """Put a stand-in for ``xdg-open`` into a browser's PATH.

    For a navigation to ``mailto:``, Chromium runs ``xdg-open`` without asking, even in headless
    mode. A link, a script, a frame or a redirect can cause the navigation. On Linux, Chromium finds
    that program in PATH. The stand-in runs the real ``xdg-open`` only for the allowed schemes and
    for files. Only a person can open files, in the browser's own windows.

    Args:
        scratch: the launch's folder, which is removed with the browser.
        environment: the browser's variables.
        schemes: the URL schemes that can start a program.
    """
    path = environment.get("PATH", os.defpath)
    real = shutil.which(_OPENER, path=path)
    folder = scratch / "programs"
    folder.mkdir(mode=0o700)
    stand_in = folder / _OPENER
    stand_in.write_text(_script(real, schemes))
    stand_in.chmod(0o700)
    # on a file system that is mounted with noexec
    if real is not None and not os.access(stand_in, os.X_OK):
        log.warning("%s can't be run, so a page can start the mailto: program", stand_in)
    environment["PATH"] = os.pathsep.join((str(folder), path))


def _script(real: str | None, schemes: Iterable[str]) -> str:
    run = f'exec {shlex.quote(real)} "$@"' if real is not None else "exit 0"
    allowed = [f"{shlex.quote(scheme)}:*" for scheme in schemes]
    return f'#!/bin/sh\ncase "$1" in\n{"|".join([*allowed, "/*"])}) {run};;\nesac\n'


_NAMES = re.compile(
    # Never pass names that look like secrets, even if they begin with one of these prefixes.
    r"(?!\w*(?:TOKEN|KEY|SECRET|PASS|CREDENTIAL|_AUTH|_PWD))"
    r"(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|TMPDIR|TMP|TEMP|LD_LIBRARY_PATH"
    r"|LANG|LANGUAGE|LC_\w+|TZ|TZDIR|LOCALE_ARCHIVE\w*"
    # the desktop
    r"|DISPLAY|WAYLAND_(DISPLAY|SOCKET)|XAUTHORITY|XMODIFIERS|XCURSOR_\w+|XDG_\w+|DESKTOP_SESSION"
    r"|DBUS_(SESSION|SYSTEM)_BUS_ADDRESS|AT_SPI_BUS_ADDRESS|NO_AT_BRIDGE|(GNOME|KDE)_\w*SESSION\w*"
    r"|(GTK|GDK|QT|GIO|GSETTINGS|IBUS|FONTCONFIG)_\w+"
    # certificates, sound, graphics
    r"|SSL_CERT_(FILE|DIR)|NSS_\w+|(PULSE|PIPEWIRE|ALSA)_\w+"
    r"|(LIBGL|LIBVA|MESA|GALLIUM|VK|VDPAU|ANGLE)_\w+|__(GL|EGL|GLX|VK)_\w+|DRI_PRIME"
    r"|CHROME_(DEVEL_SANDBOX|WRAPPER|VERSION_EXTRA)"
    # macOS and Windows
    r"|__CF\w+|XPC_\w+|SYSTEM(ROOT|DRIVE)|WINDIR|COMSPEC|PATHEXT|OS|HOME(DRIVE|PATH)|USERPROFILE"
    r"|USERNAME|USERDOMAIN|PUBLIC|ALLUSERSPROFILE|(LOCAL)?APPDATA|PROGRAMDATA|PROGRAMW6432"
    r"|(COMMON)?PROGRAMFILES(\(X86\))?|NUMBER_OF_PROCESSORS|PROCESSOR_\w+)",
    re.IGNORECASE,
)
"""The environment variables that a browser may see. Programs that launch browsers often have keys
for LLMs, clouds or databases in their environment. A browser runs untrusted scripts and needs no
keys.
"""
_PROXY = re.compile(r"(https?|ftp|all|no|auto)_proxy", re.IGNORECASE)


def in_place(environment: dict[str, str], locale: str | None, timezone: str | None) -> None:
    """Set the variables for the language and the time zone of a browser and its workers."""
    if timezone is not None:
        environment["TZ"] = timezone
    if locale is not None:  # on Linux, --lang has no effect
        environment["LANGUAGE"] = locale.replace("-", "_")
        if environment.get("LC_ALL", environment.get("LANG", "C")).split(".")[0] in ("C", "POSIX"):
            # In these locales, LANGUAGE has no effect.
            environment["LC_ALL"] = f"{locale.replace('-', '_')}.UTF-8"


def needed_by_browser(
    given: Mapping[str, str], *, proxied: bool, named: Collection[str] = ()
) -> dict[str, str]:
    """Return the variables that a browser may see.

    Args:
        given: the variables of this process.
        proxied: whether the browser uses our proxy, which reads ``HTTPS_PROXY`` and similar
            variables itself.
        named: the names of additional variables that the configuration allows
            (``browser.environment``).
    """
    return {
        name: value
        for name, value in given.items()
        if name in named or _NAMES.fullmatch(name) or (not proxied and _PROXY.fullmatch(name))
    }


POLL_S = 0.01
"""The pause between checks for the port that Chrome writes to its profile."""

log = logging.getLogger("tabwarden.endpoints")

T = TypeVar("T")


async def start_browser(
    executable: Path, options: LaunchOptions, budget: Budget, *, headless_shell: bool
) -> LaunchedBrowser:
    """Start ``executable`` and wait until it responds to ``Browser.getVersion``.

    Raises:
        LaunchFailed: the browser exited, or did not respond within the budget and was killed.
        InvalidArgument: the profile folder can't be used.
        Cancelled: the caller canceled.
    """
    impossible = sandbox_is_impossible() if options.sandbox is None else None
    no_sandbox = options.sandbox is False or impossible is not None
    if impossible is not None:
        log.info("starting the browser without its sandbox: %s", impossible)
    try:
        return await _start_once(executable, options, budget, headless_shell, no_sandbox)
    except LaunchFailed as error:
        refused = sandbox_was_refused(str(error.data.get("stderr", "")))
        if not refused or no_sandbox or options.sandbox is True:
            raise
        log.warning(
            "starting the browser without its sandbox: it reported that no sandbox works here"
        )
    return await _start_once(executable, options, budget, headless_shell, no_sandbox=True)


async def _start_once(
    executable: Path,
    options: LaunchOptions,
    budget: Budget,
    headless_shell: bool,
    no_sandbox: bool,
) -> LaunchedBrowser:
    budget.check()
    authorities = read_authorities(options.ca) if options.ca is not None else []
    if authorities and headless_shell:
        raise InvalidArgument(
            "The headless shell can't trust your CA: it has no certificate store.",
            "Use a full browser, or omit ca.",
            field="ca",
        )
    kept_profile = _kept_profile(options)
    custody = _take_custody(options)
    profile = kept_profile or custody.scratch.profile
    flags = build_flags(options, profile, headless_shell=headless_shell, no_sandbox=no_sandbox)
    try:
        if kept_profile is not None:
            custody.claim = ProfileClaim.on(kept_profile)
        trust(profile, authorities)
        process, pipe = _spawn(custody, [str(executable), *flags], options)
        up_by = budget.child(headroom_ms=min(1000.0, budget.remaining_ms() * 0.2))
        wire, ws_url = await _wire(custody, pipe, profile, process, up_by)
        product = await _race(ask_product(wire), process, up_by)
        if product is None or product[0] is None:
            raise await launch_failed(executable, process, budget, kept_profile)
        if authorities:
            check_reads_authorities(product[0])
        if options.extensions:
            await _loaded(wire, options, executable, process, up_by, kept_profile)
        if not options.headless and product[0].startswith("HeadlessChrome"):
            raise LaunchFailed(
                f"{executable} is a headless browser and can't show a window.",
                "Launch headless, or use another executable.",
                executable=str(executable),
            )
    except BaseException:
        custody.kill()
        # Even if the launch was canceled or timed out, allow a moment for the cleanup.
        await custody.end(budget if budget.remaining_s() > 0.05 else Budget(50), gracefully=False)
        raise
    return LaunchedBrowser(
        custody,
        process,
        wire,
        executable=executable,
        product=product[0],
        profile_dir=profile,
        temporary_profile=kept_profile is None,
        ws_url=ws_url,
        sandboxed=not no_sandbox,
    )


async def _loaded(
    wire: Wire,
    options: LaunchOptions,
    executable: Path,
    process: BrowserProcess,
    budget: Budget,
    kept_profile: Path | None,
) -> None:
    async def loading() -> bool:
        await load_extensions(wire, options.extensions)
        return True

    if await _race(loading(), process, budget) is None:
        raise await launch_failed(executable, process, budget, kept_profile)


def _kept_profile(options: LaunchOptions) -> Path | None:
    if options.user_data_dir is None:
        return None
    profile = Path(options.user_data_dir).expanduser().absolute()
    check_profile(profile)
    try:
        make_private_folder(profile)
        # Otherwise we would mistake a file from the previous run for a new file.
        (profile / "DevToolsActivePort").unlink(missing_ok=True)
    except OSError as error:
        raise InvalidArgument(
            f"user_data_dir {profile} cannot be used: {error.strerror}.",
            "Specify a writable folder.",
            field="user_data_dir",
        ) from error
    return profile


def _take_custody(options: LaunchOptions) -> Custody:
    try:
        scratch = Scratch.create()
        try:
            janitor = Janitor.start(scratch)
        except BaseException:
            scratch.remove()
            raise
    except OSError as error:
        raise LaunchFailed(
            f"Tabwarden can't create a temporary profile: {error}.",
            "Set TMPDIR to a writable folder with free space.",
        ) from error
    return Custody(scratch, janitor, options.effective_transport)


def _spawn(
    custody: Custody, command: list[str], options: LaunchOptions
) -> tuple[BrowserProcess, PipeEnds | None]:
    given = needed_by_browser(
        os.environ, proxied=options.proxy is not None, named=options.environment
    )
    environment = custody.scratch.environment(given)
    in_place(environment, options.locale, options.timezone)
    if sys.platform.startswith("linux"):
        keep_programs(custody.scratch.folder, environment, options.external_schemes)
    pipe = PipeEnds() if options.effective_transport == "pipe" else None
    try:
        process = spawn(command, environment, pipe, custody.janitor.watch)
    except OSError as error:
        if pipe is not None:
            pipe.close()
        raise LaunchFailed(
            f"{command[0]} could not be started: {error}.",
            "Check that this file is a browser and is executable.",
            executable=command[0],
        ) from error
    custody.process = process
    if pipe is not None:
        pipe.close(pipe.child_reads, pipe.child_writes)
    return process, pipe


async def _wire(
    custody: Custody,
    pipe: PipeEnds | None,
    profile: Path,
    process: BrowserProcess,
    budget: Budget,
) -> tuple[Wire, str | None]:
    """Open the wire, hand it to ``custody``, and return it with its WebSocket URL, if any."""
    if pipe is not None:
        pipe.give_away(pipe.we_read, pipe.we_write)
        opening = asyncio.ensure_future(PipeWire.open(pipe.we_read, pipe.we_write))
        try:
            custody.wire = await asyncio.shield(opening)
        except asyncio.CancelledError:
            # the wire opens almost at once, and the cleanup can then close it
            custody.wire = await opening
            raise
        return custody.wire, None
    ws_url = await _race(_active_port(profile), process, budget)
    if ws_url is None:
        raise await launch_failed(Path("the browser"), process, budget, None)
    custody.port = PortClaim(urlsplit(ws_url).port or 0)
    custody.wire = HandoverWire(await open_websocket(ws_url, budget))
    return custody.wire, ws_url


async def _active_port(profile: Path) -> str:
    """Wait for the file to which Chrome writes its port and path.

    The file appears after about 0.1 s. We poll, because no file notification API works on all
    systems.
    """
    while True:
        try:
            port, path = read_plain_file(profile / "DevToolsActivePort").decode().split()
        except (OSError, ValueError):
            await asyncio.sleep(POLL_S)
        else:
            return f"ws://127.0.0.1:{port}{path}"


async def _race(work: Coroutine[Any, Any, T], process: BrowserProcess, budget: Budget) -> T | None:
    """Return the result of ``work``; None if the process exits or the time budget runs out
    first.
    """
    loop = asyncio.get_running_loop()
    gave_up = asyncio.Event()
    undo = budget.on_cancel(lambda reason: _tell(loop, gave_up))
    working = asyncio.ensure_future(work)
    giving_up = asyncio.ensure_future(gave_up.wait())
    try:
        await asyncio.wait(
            {working, giving_up, asyncio.wrap_future(process.exited)},
            timeout=budget.remaining_s(),
            return_when=asyncio.FIRST_COMPLETED,
        )
        budget.check()
        return working.result() if working.done() else None
    finally:
        undo()
        for task in (working, giving_up):
            task.cancel()
        await asyncio.gather(working, giving_up, return_exceptions=True)


def _tell(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(event.set)
