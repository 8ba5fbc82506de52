"""The options of a launch."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, get_args

import msgspec

from tabwarden.egress.upstream import Upstream
from tabwarden.endpoints.launching.extensions import check_extension
from tabwarden.errors import InvalidArgument

_INSTEAD = {
    "--headless": "headless",
    "--user-data-dir": "user_data_dir",
    "--profile-directory": "user_data_dir",
    "--remote-debugging-port": "transport",
    "--remote-debugging-pipe": "transport",
    "--remote-debugging-address": "transport",
    "--remote-debugging-socket-name": "transport",
    "--proxy-server": "proxy",
    "--proxy-bypass-list": "proxy",
    "--proxy-pac-url": "proxy",
    "--proxy-auto-detect": "proxy",
    "--no-proxy-server": "proxy",
    "--window-size": "window_size",
    "--no-sandbox": "sandbox",
    "--disable-setuid-sandbox": "sandbox",
    "--user-agent": "user_agent",
    "--accept-lang": "locale",
    "--load-extension": "extensions",
    "--disable-extensions-except": "extensions",
    "--enable-unsafe-extension-debugging": "extensions",
    "--ignore-certificate-errors": "ignore_https_errors",
}
"""Maps each switch to the option that sets it."""
_LEAKS = (
    "--host-resolver-rules",
    "--host-rules",
    "--force-webrtc-ip-handling-policy",
    "--webrtc-ip-handling-policy",
    "--enable-quic",
    "--origin-to-force-quic-on",
    "--winhttp-proxy-resolver",
)
"""Switches that let requests bypass Tabwarden's proxy, and therefore the network policy."""


def check_args(args: Iterable[str]) -> None:
    """Check the switches that the user adds.

    Raises:
        InvalidArgument: Tabwarden sets the switch itself, the switch breaks the network policy, or
            an argument is not a switch.
    """
    for arg in args:
        switch = arg.split("=")[0]
        if not arg.startswith("--"):
            raise InvalidArgument(
                f"args contains {arg!r}, which is not a switch.",
                "Switches begin with --. Open pages after the launch.",
                field="args",
            )
        if switch in _INSTEAD:
            raise InvalidArgument(
                f"args must not contain {switch}: Tabwarden sets it.",
                f"Use the option {_INSTEAD[switch]} instead.",
                field="args",
            )
        if switch in _LEAKS:
            raise InvalidArgument(
                f"args must not contain {switch}: requests could bypass the network policy.",
                "Use the option proxy for your own proxy, and allowed_origins for hosts.",
                field="args",
            )


BrowserKind = Literal["chrome", "edge", "chromium", "brave"]
Transport = Literal["pipe", "port"]
DEFAULT_WINDOW = (1280, 800)
"""The width and the height of a window in CSS pixels."""


_COMPARED = ("upstream", "args", "window_size", "ignore_https_errors", "ca", "extensions")


class LaunchOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to launch a browser; every field has a working default.

    Attributes:
        executable: the browser to start; None for the first browser that works (``choose``).
        browser: start only this kind of browser, if ``executable`` is None.
        headless: run without a window.
        user_data_dir: a profile folder to use and keep; None for a temporary profile.
        args: command line switches to add after ours. ``--disable-features`` and
            ``--enable-features`` are merged with ours.
        window_size: width and height in CSS pixels.
        sandbox: True to always use the sandbox; False to never use it; None to use it if this
            system supports it.
        transport: "pipe", which only this process can use and which closes when this process exits;
            "port"; or None for "port" on Windows and "pipe" on other systems.
        ignore_https_errors: accept every certificate.
        ca: a PEM file with the certificates of additional CAs that the browser trusts.
        extensions: folders of unpacked extensions to load; only with transport "pipe".
        user_agent: the user agent in requests, pages and workers; None keeps the browser's own.
        locale: the language of requests and pages, such as ``de-DE``; None for the system's.
        timezone: an IANA time zone name; None for the system's.
        upstream: the user's own proxy, to which Tabwarden's proxy connects; None for the system's.
        proxy: ``socks5://host:port`` for all requests. Nothing bypasses the proxy: the browser
            resolves no names itself, and QUIC and WebRTC's UDP, which can't use the proxy, are off.
        environment: names of additional environment variables that the browser inherits from this
            process.
        page_tools: whether pages can offer tools to agents (WebMCP).
        external_schemes: URL schemes for which the browser may start other programs on this system.
    """

    executable: str | Path | None = None
    browser: BrowserKind | None = None
    headless: bool = True
    user_data_dir: str | Path | None = None
    args: tuple[str, ...] = ()
    window_size: tuple[int, int] = DEFAULT_WINDOW
    sandbox: bool | None = None
    transport: Transport | None = None
    ignore_https_errors: bool = False
    ca: Path | None = None
    extensions: tuple[Path, ...] = ()
    user_agent: str | None = None
    locale: str | None = None
    timezone: str | None = None
    upstream: Upstream | None = None
    proxy: str | None = None
    environment: tuple[str, ...] = ()
    page_tools: bool = True
    external_schemes: tuple[str, ...] = ()

    @property
    def marks(self) -> dict[str, str]:
        """A form of these options that can be compared and is safe to send to another machine. It
        contains a mark for each option that is set and that no client emulates, keyed by the
        option's name in the configuration.
        """
        default = LaunchOptions()
        named = {name: getattr(self, name) for name in _COMPARED}
        changed = {name: one for name, one in named.items() if one != getattr(default, name)}
        if "upstream" in changed:
            changed["proxy"] = changed.pop("upstream")  # its repr contains no user name or password
        return {
            name: hashlib.sha256(repr(one).encode()).hexdigest()[:12]
            for name, one in changed.items()
        }

    def checked(self) -> LaunchOptions:
        """Return these options if they are valid. Otherwise raise ``InvalidArgument``."""
        if self.browser is not None and self.browser not in get_args(BrowserKind):
            raise InvalidArgument(
                f"browser must be one of {', '.join(get_args(BrowserKind))}, not {self.browser!r}.",
                field="browser",
            )
        check_args(self.args)
        if min(self.window_size) < 1:
            raise InvalidArgument(
                f"window_size must be two positive numbers, not {self.window_size!r}.",
                field="window_size",
            )
        if self.transport not in (None, *get_args(Transport)):
            raise InvalidArgument(
                f"transport must be pipe or port, not {self.transport!r}.", field="transport"
            )
        for folder in self.extensions:
            check_extension(folder)
        if self.extensions and self.effective_transport == "port":
            raise InvalidArgument(
                "Chromium loads extensions only over a pipe.",
                "Omit extensions, or omit the transport `port`.",
                field="extensions",
            )
        if self.transport == "pipe" and sys.platform == "win32":
            raise InvalidArgument(
                "The transport `pipe` is not available on Windows.", "Omit it.", field="transport"
            )
        return self

    @property
    def effective_transport(self) -> Transport:
        """The transport that a launch uses on this system."""
        return self.transport or ("port" if sys.platform == "win32" else "pipe")
