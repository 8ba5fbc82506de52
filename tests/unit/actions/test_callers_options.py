"""Launch options that a caller over MCP or HTTP can set."""

from __future__ import annotations

from typing import Any

import pytest

from tabwarden.actions import ACTIONS, check_allowed, permissions_of
from tabwarden.actions.callers_options import callers_options
from tabwarden.actions.permissions import LAUNCHING
from tabwarden.actions.sessions import Way, session_of
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig, with_launch
from tabwarden.endpoints.configured import upstream_of
from tabwarden.errors import Denied, InvalidArgument

OPTIONS: dict[str, Any] = {
    "proxy": "http://93.184.216.34:3128",
    "args": [],
    "window_size": "900x700",
    "sandbox": True,
    "ignore_https_errors": True,
    "user_agent": "Foo/1",
    "locale": "de-DE",
    "timezone": "Asia/Tokyo",
}


@pytest.mark.parametrize("name", LAUNCHING)
@pytest.mark.threat
def test_each_launch_option_requires_the_launch_permission(name: str) -> None:
    action = ACTIONS["browser_open"]
    config = BrowserConfig(allow=["read", "act", "files", "scripts", "attach"])
    with pytest.raises(Denied) as caught:
        check_allowed(action, config, {name: OPTIONS[name]})
    assert caught.value.data["permission"] == "launch"
    check_allowed(action, BrowserConfig(), {name: OPTIONS[name]})
    assert permissions_of(action, {name: None, "headless": False}) == {"act"}


@pytest.mark.parametrize(
    "arg",
    [
        "--renderer-cmd-prefix=xterm -e",
        "--gpu-launcher=sh",
        "--utility-cmd-prefix=sh",
        "--browser-subprocess-path=/bin/sh",
        "--load-extension=/tmp/x",
        "--js-flags=--allow-natives-syntax",
        "--allow-file-access-from-files",
        "--disable-web-security",
        "--disable-site-isolation-trials",
        "--disable-features=IsolateOrigins",
        "--enable-blink-features=MojoJS",
        "--enable-features=Anything",
        "--blink-settings=webSecurityEnabled=false",
        "--no-sandbox",
        "--proxy-server=evil.example",
        "--host-resolver-rules=MAP * evil.example",
        "--user-data-dir=/root",
        "--remote-debugging-port=9222",
        "--log-file=/etc/passwd",
        "--crash-dumps-dir=/etc",
        "--use-file-for-fake-video-capture=/etc/passwd",
        "--unheard-of",
        "--KIOSK",
        "--kiosk --no-sandbox",
    ],
)
@pytest.mark.threat
def test_caller_cannot_set_unsafe_switches(arg: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        callers_options({"args": ["--kiosk", arg]}, BrowserConfig())
    assert caught.value.data["field"] == "args"
    assert arg.partition("=")[0] in str(caught.value)


def test_caller_can_set_safe_switches() -> None:
    args = ["--force-device-scale-factor=2", "--blink-settings=imagesEnabled=false"]
    assert callers_options({"args": args}, BrowserConfig()) == {"args": args}


@pytest.mark.threat
def test_only_the_operator_can_disable_the_sandbox() -> None:
    with pytest.raises(InvalidArgument) as caught:
        callers_options({"sandbox": False}, BrowserConfig())
    assert caught.value.data["field"] == "sandbox"
    callers_options({"sandbox": False}, BrowserConfig(sandbox=False))


@pytest.mark.parametrize(
    ("proxy", "config"),
    [
        ("http://127.0.0.1:3128", BrowserConfig()),
        ("http://localhost:3128", BrowserConfig()),
        ("socks5://10.1.2.3:1080", BrowserConfig()),
        ("http://169.254.169.254", BrowserConfig(allow_private_networks=True)),
        ("http://93.184.216.34:3128", BrowserConfig(allowed_origins=["example.com"])),
        ("http://proxy.example:3128", BrowserConfig(blocked_origins=["*.example"])),
    ],
)
@pytest.mark.threat
def test_network_policy_applies_to_a_callers_proxy(proxy: str, config: BrowserConfig) -> None:
    with pytest.raises(InvalidArgument) as caught:
        upstream_of(with_launch(config, callers_options({"proxy": proxy}, config)))
    assert caught.value.data["field"] == "proxy"
    assert upstream_of(with_launch(config, {"proxy": proxy})) is not None  # the operator's own


@pytest.mark.parametrize(
    ("way", "config", "field"),
    [
        (Way(), {"endpoint": "9222", "locale": "de-DE"}, "browser.locale"),
        (Way(), {"endpoint": "steel:", "proxy": "http://proxy.example"}, "browser.proxy"),
        (Way(), {"endpoint": "camofox:", "args": ["--kiosk"]}, "browser.args"),
        (Way(), {"endpoint": "9222", "user_data_dir": "/tmp/x"}, "browser.user_data_dir"),
        (
            Way(),
            {"endpoint": "9222", "isolate": True, "locale": "de-DE", "args": ["--kiosk"]},
            "browser.args",
        ),
        (Way(options={"window_size": "9x9"}), {"endpoint": "fleet:"}, "window_size"),
    ],
)
@pytest.mark.anyio
async def test_session_open_error_identifies_the_option_that_cannot_apply(
    way: Way, config: dict[str, Any], field: str
) -> None:
    session = session_of(BrowserConfig(**config))
    with pytest.raises(InvalidArgument) as caught:
        await session.open(way, Budget(5_000))
    assert caught.value.data["field"] == field


@pytest.mark.anyio
async def test_browser_open_rejects_launch_options_when_it_attaches() -> None:
    opening = ACTIONS["browser_open"]
    given = {"attach_to_existing": True, "locale": "de-DE"}
    with pytest.raises(InvalidArgument) as caught:
        await opening.run(session_of(BrowserConfig()), timeout_ms=Budget(5_000), **given)
    assert caught.value.data["field"] == "locale"
