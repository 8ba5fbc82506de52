"""The launch options that a caller may set. Unlike the operator's options, these options give no
access to this computer's files, programs or network, beyond the access that a browser has
anyway."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabwarden.config import BrowserConfig, CallersProxy, with_launch
from tabwarden.errors import InvalidArgument

_HARMLESS = {
    "--autoplay-policy", "--disable-3d-apis", "--disable-dev-shm-usage", "--disable-extensions",
    "--disable-gpu", "--disable-gpu-compositing", "--disable-infobars", "--disable-notifications",
    "--disable-popup-blocking", "--disable-smooth-scrolling", "--disable-software-rasterizer",
    "--disable-webgl", "--enable-automation", "--enable-smooth-scrolling",
    "--enable-unsafe-swiftshader", "--enable-webgl", "--font-render-hinting",
    "--force-color-profile", "--force-dark-mode", "--force-device-scale-factor",
    "--force-prefers-no-reduced-motion", "--force-prefers-reduced-motion", "--hide-scrollbars",
    "--high-dpi-support", "--ignore-gpu-blocklist", "--incognito", "--kiosk", "--lang",
    "--mute-audio", "--no-default-browser-check", "--no-first-run", "--start-fullscreen",
    "--start-maximized", "--touch-events", "--use-angle", "--use-fake-device-for-media-stream",
    "--use-gl", "--window-position",
    "--blink-settings=imagesEnabled=false", "--disable-blink-features=AutomationControlled",
}  # fmt: skip
"""This is an allowlist because each Chromium version adds switches, and some switches run programs,
load code, read files, or weaken the isolation between pages."""


def callers_options(options: Mapping[str, Any], config: BrowserConfig) -> dict[str, Any]:
    """Check a caller's launch options, and return them for ``Browser.launch``.

    Args:
        options: maps the names of the caller's options to their values; None means not set.
        config: the caller's configuration.

    Raises:
        InvalidArgument: an option is not valid, or only the operator may set it; ``field`` is its
            name.
    """
    launch = {name: value for name, value in options.items() if value is not None}
    if "args" in launch:
        _check_args(launch["args"])
    if launch.get("sandbox") is False and config.sandbox is not False:
        raise InvalidArgument(
            "Only the operator may disable the sandbox (browser.sandbox: false).",
            "Omit sandbox.",
            field="sandbox",
        )
    checked = with_launch(config, launch)
    if checked.proxy is not None and "proxy" in launch:
        launch["proxy"] = CallersProxy.model_construct(**dict(checked.proxy))
    return launch


def _check_args(args: Sequence[str]) -> None:
    for arg in args:
        if arg not in _HARMLESS and arg.partition("=")[0] not in _HARMLESS:
            raise InvalidArgument(
                f"A caller may not set the switch {arg.partition('=')[0][:100]!r}, because it is "
                "not on the list of harmless switches.",
                "Omit it. The operator may set it in browser.args.",
                field="args",
            )
