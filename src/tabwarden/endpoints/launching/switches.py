"""Which switches of the browser's command line Tabwarden sets itself, or never sets."""

from __future__ import annotations

from collections.abc import Iterable

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
"""Switches, and the options that set them."""
_LEAKS = (
    "--host-resolver-rules",
    "--host-rules",
    "--force-webrtc-ip-handling-policy",
    "--webrtc-ip-handling-policy",
    "--enable-quic",
    "--origin-to-force-quic-on",
    "--winhttp-proxy-resolver",
)
"""With these, requests could leave past Tabwarden's proxy, and so past the network policy."""


def check_args(args: Iterable[str]) -> None:
    """Check the switches that the user adds.

    Raises:
        InvalidArgument: a switch is Tabwarden's own, breaks the network policy, or is none.
    """
    for arg in args:
        switch = arg.split("=")[0]
        if not arg.startswith("--"):
            raise InvalidArgument(
                f"args contains {arg!r}, which is not a switch.",
                "Switches begin with --; open pages after the launch.",
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
                "Set your own proxy with the option proxy, and hosts with allowed_origins.",
                field="args",
            )
