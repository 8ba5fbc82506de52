"""Launch options: accepted values, and the field in an error."""

from __future__ import annotations

from inspect import signature
from typing import Any

import pytest

from tabwarden.actions import ACTIONS
from tabwarden.actions.permissions import LAUNCHING
from tabwarden.browser import Browser
from tabwarden.config import LAUNCH_KEYS, BrowserConfig, load_config, set_options, with_launch
from tabwarden.config.effective import effective
from tabwarden.endpoints.launching import LaunchOptions
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.command_table.options import OPENING


def given(**options: Any) -> BrowserConfig:
    return with_launch(BrowserConfig(), options)


@pytest.mark.parametrize(
    ("proxy", "wanted"),
    [
        ("proxy.example", ("http://proxy.example:80", "", "")),
        ("socks5://[::1]", ("socks5://[::1]:1080", "", "")),
        ("http://ann:p%40s%3As@Proxy.Example:3128/", ("http://proxy.example:3128", "ann", "p@s:s")),
        (
            {"server": "proxy.example:3128", "username": "ann", "password": "p@s"},
            ("http://proxy.example:3128", "ann", "p@s"),
        ),
    ],
)
def test_proxy_option_accepts_a_url_or_separate_fields(
    proxy: Any, wanted: tuple[str, str, str]
) -> None:
    made = given(proxy=proxy).proxy
    assert made is not None
    assert (made.server, made.username, made.password.get_secret_value()) == wanted
    assert "p@s" not in repr(made)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"proxy": "ftp://secret99:secret99@host"}, "proxy.server"),
        ({"proxy": "http://secret99:secret99@host:port"}, "proxy.server"),
        ({"proxy": "http://host/path"}, "proxy.server"),
        ({"proxy": {"server": "http://ann:secret99@host"}}, "proxy.server"),
        ({"proxy": {"server": "host", "bypass": "a b"}}, "proxy.bypass"),
        ({"proxy": {"server": "host", "pasword": "secret99"}}, "proxy.pasword"),
        ({"proxy": {"username": "secret99"}}, "proxy.server"),
        ({"args": ["about:blank"]}, "args"),
        ({"args": ["--"]}, "args"),
        ({"window_size": "1280"}, "window_size"),
        ({"window_size": "0x700"}, "window_size"),
        ({"window_size": (1280, 9000)}, "window_size"),
        ({"window_size": (True, 700)}, "window_size"),
        ({"user_agent": "two\nlines"}, "user_agent"),
        ({"user_agent": " "}, "user_agent"),
        ({"locale": "german"}, "locale"),
        ({"timezone": "Europe/Berlim"}, "timezone"),
        ({"timezone": "../../etc/passwd"}, "timezone"),
        ({"ignore_https_errors": "perhaps"}, "ignore_https_errors"),
    ],
)
def test_invalid_launch_option_error_identifies_the_field_and_shows_no_secret(
    options: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        given(**options)
    assert caught.value.data["field"] == field
    assert "secret99" not in str(caught.value)


def test_misspelled_timezone_error_suggests_the_nearest_name() -> None:
    with pytest.raises(InvalidArgument, match="Europe/Berlin"):
        given(timezone="Europe/Berlim")


def test_launch_option_keeps_the_other_configured_options() -> None:
    config = BrowserConfig(locale="de_de", args=["--mute-audio"])  # type: ignore[call-arg]
    made = with_launch(config, {"window_size": "900x700", "channel": "msedge", "timezone": None})
    assert made.channel == "edge"
    assert (made.locale, made.args, made.window_size) == ("de-DE", ["--mute-audio"], (900, 700))
    assert set_options(made) == ["args", "window_size", "locale"]
    assert set_options(BrowserConfig(sandbox=False)) == []


def test_environment_sets_launch_options_under_the_same_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {
        "PROXY": "http://ann:word@proxy.example:3128",
        "ARGS": "[--mute-audio, --kiosk]",
        "WINDOW_SIZE": "900x700",
        "USER_AGENT": "Foo/1 (x: y)",
        "LOCALE": "de-DE",
        "TIMEZONE": "Asia/Tokyo",
        "IGNORE_HTTPS_ERRORS": "true",
    }.items():
        monkeypatch.setenv(f"TABWARDEN_BROWSER__{name}", value)
    made = load_config().browser
    assert made.proxy is not None
    assert made.proxy.username == "ann"
    assert made.args == ["--mute-audio", "--kiosk"]
    assert (made.window_size, made.user_agent) == ((900, 700), "Foo/1 (x: y)")
    assert made.ignore_https_errors
    shown = {one.keys[1:]: one for one in effective() if one.keys[1] == "proxy"}
    assert shown["proxy", "password"].value == "********"
    assert {one.origin.source for one in shown.values()} == {"environment"}


def test_every_interface_provides_the_launch_options_that_the_configuration_declares() -> None:
    declared = {"browser" if name == "channel" else name for name in LAUNCH_KEYS}
    assert declared <= signature(Browser.launch).parameters.keys()
    assert {option["name"] for option in OPENING} == declared - {"browser"}
    of_tool = set(signature(ACTIONS["browser_open"].run).parameters)
    only_operator = {"ca", "extensions"}  # they are paths on this machine
    assert declared - of_tool == only_operator


def test_every_declared_option_reaches_the_launch_or_the_emulation() -> None:
    emulated = {"viewport", "device"}
    declared = {{"channel": "browser", "proxy": "upstream"}.get(one, one) for one in LAUNCH_KEYS}
    assert declared - emulated <= set(LaunchOptions.__struct_fields__)


def test_tool_launch_options_except_viewport_and_device_require_the_launch_permission() -> None:
    of_tool = set(signature(ACTIONS["browser_open"].run).parameters)
    assert set(LAUNCHING) == set(LAUNCH_KEYS) & of_tool - {"viewport", "device"}
