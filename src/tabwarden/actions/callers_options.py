"""What a caller may choose of a launch, as opposed to the operator: nothing that reaches this
machine's files, programs or network in another way than the browser does anyway.
"""

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
"""A list of what is allowed, because each Chromium brings new switches: some run programs, load
code, read files, or weaken the isolation of pages."""


def callers_options(options: Mapping[str, Any], config: BrowserConfig) -> dict[str, Any]:
    """Check the launch options of a caller, and return them for ``Browser.launch``.

    Args:
        options: the options that were given, by their names.
        config: the caller's configuration.

    Raises:
        InvalidArgument: an option is wrong, or only the operator may set it; ``field`` names it.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if "args" in given:
        _check_args(given["args"])
    if given.get("sandbox") is False and config.sandbox is not False:
        raise InvalidArgument(
            "Only the operator may switch the sandbox off (browser.sandbox: false).",
            "Omit sandbox.",
            field="sandbox",
        )
    checked = with_launch(config, given)
    if checked.proxy is not None and "proxy" in given:
        given["proxy"] = CallersProxy.model_construct(**dict(checked.proxy))
    return given


def _check_args(args: Sequence[str]) -> None:
    for arg in args:
        if arg not in _HARMLESS and arg.partition("=")[0] not in _HARMLESS:
            raise InvalidArgument(
                f"A caller may not set {arg.partition('=')[0][:100]!r}: it is not among the "
                "switches that are known to be harmless.",
                "Omit it. The operator may set it: browser.args.",
                field="args",
            )
