"""Check that a browser starts, and check its launch options, WebMCP, sandbox and shared memory."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig, set_options
from tabwarden.egress.origins import Place
from tabwarden.egress.outside import Outside, Unreachable
from tabwarden.egress.upstream import Upstream
from tabwarden.endpoints.configured import launch_options, upstream_of
from tabwarden.endpoints.finding import (
    ProbeCache,
    ProbeOutcome,
    choose,
    ignored,
    only_installed,
    words_for_ignored,
)
from tabwarden.endpoints.launching import (
    LaunchOptions,
    read_authorities,
    sandbox_is_impossible,
    shm_is_small,
    start_browser,
)
from tabwarden.endpoints.remedy import browser_command
from tabwarden.errors import InvalidArgument, LaunchFailed
from tabwarden.page.environment import device_of
from tabwarden.protocol import decode_result, encode_params, target, web_mcp
from tabwarden.surfaces.doctor.finding import Finding, Patient, ok, problem, skipped, warning
from tabwarden.wire import Connection

_MENDS = {
    "executable": "tabwarden config unset browser.executable",
    "TABWARDEN_CHROME": "unset TABWARDEN_CHROME",
    "TABWARDEN_ONLY_INSTALLED": "unset TABWARDEN_ONLY_INSTALLED",
}


class Forgetful(ProbeCache):
    """A cache that stores nothing, so that the doctor always starts the browser to test it."""

    def look_up(self, path: Path) -> ProbeOutcome | None:
        return None

    def store(self, path: Path, product: str, reason: str) -> None:
        """See ``ProbeCache``."""

    def forget(self, path: Path) -> None:
        """See ``ProbeCache``."""


async def check_browser(patient: Patient, budget: Budget) -> list[Finding]:
    """Start the browser that a launch would use, read its version, and close it."""
    config = patient.config.browser
    attaches = config.endpoint is not None
    if not config.headless and _has_no_display() and not attaches:
        return [
            problem(
                "browser.headless is off, but this system has no display for a window.",
                "tabwarden config set browser.headless true",
            )
        ]
    try:
        found = await choose(
            budget.child(headroom_ms=500),
            executable=config.executable,
            headless=config.headless,
            cache=Forgetful(),
        )
    except LaunchFailed as error:
        return [
            Finding(
                # With an endpoint, Tabwarden launches no browser, so this is only a warning.
                status="warning" if attaches else "problem",
                message=error.message,
                command=_MENDS.get(str(error.data.get("field")))
                or browser_command(own=only_installed()),
                data={key: error.data[key] for key in ("tried", "field") if key in error.data},
            )
        ]
    left_out = words_for_ignored(ignored()) if config.executable is None else ""
    return [
        ok(
            f"{found.product} starts: {found.path}" + (left_out and f". {left_out}"),
            product=found.product,
            path=str(found.path),
        )
    ]


def _has_no_display() -> bool:
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform.startswith("linux") and not display


async def check_page_tools(patient: Patient, budget: Budget) -> list[Finding]:
    """Start the browser that a launch would use, and check whether it supports WebMCP."""
    config = patient.config.browser
    if not config.page_tools:
        return [skipped("browser.page_tools is off.")]
    if config.endpoint is not None:
        return [
            skipped(
                "Tabwarden attaches to a running browser (browser.endpoint), so it launches none."
            )
        ]
    own = budget.child(headroom_ms=500)
    try:
        found = await choose(
            own, executable=config.executable, headless=config.headless, cache=Forgetful()
        )
        browser = await start_browser(
            found.path, LaunchOptions(), own, headless_shell=found.candidate.headless_only
        )
    except LaunchFailed as error:  # the check `browser` reports the details
        return [skipped(f"No browser could be started for this check: {error.message}")]
    connection = Connection(browser.wire, lambda _: None, lambda _: None)
    connection.start()
    try:
        async with asyncio.timeout(own.remaining_s()):
            has_it = await _has_web_mcp(connection)
    finally:
        await browser.end(own)
    if has_it:
        return [ok("The browser supports WebMCP, so pages can offer tools.")]
    words = "The browser does not support WebMCP, so pages can't offer tools. Use a newer browser."
    return [warning(words)]


async def _has_web_mcp(connection: Connection) -> bool:
    made = await connection.call(
        target.CreateTarget.METHOD, encode_params(target.CreateTarget(url="about:blank"))
    )
    if made.result is None:
        return False
    target_id = decode_result(target.CreateTarget, made.result).target_id
    attach = target.AttachToTarget(target_id=target_id, flatten=True)
    attached = await connection.call(attach.METHOD, encode_params(attach))
    if attached.result is None:
        return False
    session_id = decode_result(target.AttachToTarget, attached.result).session_id
    enabled = await connection.call(web_mcp.Enable.METHOD, session_id=session_id)
    return enabled.result is not None


_NOWHERE = Place("tabwarden-doctor.invalid", 443)
"""A name that never resolves (RFC 2606), so the check contacts no server except the proxy."""


async def check_launching(patient: Patient, budget: Budget) -> list[Finding]:
    config = patient.config.browser
    names = set_options(config)
    if not names:
        return [skipped("No launch options are configured.")]
    if config.endpoint is not None:
        return [
            skipped(
                "Tabwarden attaches to a running browser (browser.endpoint), so it launches none."
            )
        ]
    found = await asyncio.get_running_loop().run_in_executor(None, partial(_faults, config))
    upstream = upstream_of(config)
    if upstream is not None:
        async with asyncio.timeout(budget.remaining_s()):
            found += await _proxy_faults(upstream)
    words = f"The launch options work: {', '.join(names)}."
    return found or [ok(words)]


def _faults(config: BrowserConfig) -> list[Finding]:
    """Return the problems in the options, as far as they can be found without a connection."""
    looks: list[Callable[[], object]] = [
        lambda: launch_options(config).checked(),
        lambda: device_of(config.device, None),
        lambda: read_authorities(config.ca) if config.ca is not None else None,
    ]
    found = []
    for look in looks:
        try:
            look()
        except InvalidArgument as error:
            words = f"{error.message} {error.hint}".strip()
            mend = f"tabwarden config unset browser.{error.data['field']}"
            found.append(problem(words, mend))
    return found


async def _proxy_faults(upstream: Upstream) -> list[Finding]:
    proxy = f"{upstream.scheme}://{upstream.place}"
    try:
        connection = await Outside(upstream).connect_by(upstream, _NOWHERE)
    except Unreachable as unreachable:
        error, code = str(unreachable), unreachable.code
    else:
        connection.close()
        return []
    mend = "tabwarden config unset browser.proxy"
    if error.endswith("PROXY_CERTIFICATE_INVALID"):
        words = (
            f"The certificate of the proxy {proxy} is not trusted. Set browser.ca to its CA's "
            "certificate."
        )
        return [problem(words)]
    if error.endswith("PROXY_CONNECTION_FAILED"):
        return [problem(f"The proxy {proxy} can't be reached.", mend)]
    if error.endswith("PROXY_AUTH_REQUESTED"):
        words = f"The proxy {proxy} rejects the login in browser.proxy (user name and password)."
        return [problem(words, mend)]
    if upstream.scheme == "socks5" and code is None:
        words = (
            f"The proxy {proxy} closes the connection. It may reject the login in browser.proxy."
        )
        return [warning(words)]
    return []  # the proxy responded that it could not reach the host


# Create a user namespace in the same way as Chromium's zygote (CLONE_NEWUSER, sched.h). This script
# runs in its own process, because a process can't leave a namespace.
_TRY = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
if libc.unshare(0x10000000):
    sys.exit(os.strerror(ctypes.get_errno()))
"""
_SECCOMP = "--security-opt seccomp=deploy/docker/chrome.json"
"""Docker's default seccomp profile forbids user namespaces. This profile in Tabwarden's source also
allows the system calls that Chromium needs; ``unconfined`` would allow everything.
"""
_SWITCHES = {
    "kernel/apparmor_restrict_unprivileged_userns": ("1", "0"),
    "kernel/unprivileged_userns_clone": ("0", "1"),
    "user/max_user_namespaces": ("0", "28633"),
}
"""System settings that can forbid user namespaces: (value that forbids, value that allows)."""
_WHERE = (
    " In a container, the sandbox needs the seccomp profile deploy/docker/chrome.json from "
    "Tabwarden's source."
)


def check_sandbox(patient: Patient) -> list[Finding]:
    if not sys.platform.startswith("linux"):
        words = "The sandbox needs no setup on this system."
        return [skipped(words)]
    if patient.config.browser.endpoint is not None:
        words = "browser.endpoint is set, so Tabwarden launches no browser on this machine."
        return [skipped(words)]
    return [_namespaces(), *_shared_memory()]


def namespaces_fail() -> str:
    """Return the reason why this user can't create a user namespace; "" if the user can."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _TRY],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=10,
        check=False,
    )
    return done.stderr.strip()[-200:] if done.returncode else ""


def _namespaces() -> Finding:
    certain = sandbox_is_impossible()
    container = is_container()
    where = _WHERE if container else ""
    data = {"container": container, "root": os.geteuid() == 0}
    if os.geteuid() == 0:
        return warning(
            f"This process runs as root, so pages run without Chromium's sandbox.{where}",
            f"docker run --user 1000 {_SECCOMP} …" if container else "sudo -u A_USER tabwarden …",
            **data,
        )
    fails = certain or namespaces_fail()
    if not fails:
        return ok("Chromium's sandbox can work.", **data)
    return warning(
        f"The system forbids user namespaces ({fails}). Pages run without Chromium's sandbox "
        f"unless the browser's package includes the helper chrome-sandbox.{where}",
        _mend(container),
        **data,
    )


def _mend(container: str) -> str:
    for name, (forbids, allows) in _SWITCHES.items():
        try:
            value = Path("/proc/sys", name).read_text("ascii").strip()
        except OSError:
            continue
        if value == forbids:
            return f"sudo sysctl -w {name.replace('/', '.')}={allows}"
    if container:  # the container's seccomp profile forbids user namespaces
        return f"docker run {_SECCOMP} …"
    return "sudo sysctl -w user.max_user_namespaces=28633"


def _shared_memory() -> list[Finding]:
    if not shm_is_small():
        return []
    return [
        warning(
            "/dev/shm is smaller than 128 MB, so browsers share memory through files in the "
            "temporary folder, which is slower.",
            "docker run --shm-size=1g …"
            if is_container()
            else "sudo mount -o remount,size=1g /dev/shm",
        )
    ]


def is_container() -> str:
    """Return the kind of container that this process runs in; "" if none is detected."""
    if Path("/.dockerenv").exists():
        return "docker"
    if Path("/run/.containerenv").exists():
        return "podman"
    return os.environ.get("container", "")  # noqa: SIM112 - systemd's name for it
