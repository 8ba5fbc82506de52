"""The command line of a launched browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabwarden.endpoints.launching.flags import build_flags, sandbox_was_refused
from tabwarden.endpoints.launching.options import LaunchOptions
from tabwarden.errors import InvalidArgument


def flags(options: LaunchOptions, *, headless_shell: bool = False) -> list[str]:
    return build_flags(
        options, Path("/p"), headless_shell=headless_shell, no_sandbox=options.sandbox is False
    )


def test_default_flags_are_headless_with_sandbox() -> None:
    line = flags(LaunchOptions())
    assert "--headless=new" in line
    assert "--no-sandbox" not in line
    assert "--window-size=1280,800" in line
    assert line[-1] == "about:blank"


def test_headless_flag_depends_on_browser_type_and_headed_mode() -> None:
    assert "--headless" in flags(LaunchOptions(), headless_shell=True)
    assert not any(flag.startswith("--headless") for flag in flags(LaunchOptions(headless=False)))


def test_flags_merge_the_callers_feature_lists() -> None:
    options = LaunchOptions(
        args=("--disable-features=Mine", "--enable-features=Translate", "--lang=de")
    )
    line = flags(options)
    disabled = [flag for flag in line if flag.startswith("--disable-features=")]
    assert len(disabled) == 1
    assert disabled[0].endswith(",Mine")
    assert "Translate" not in disabled[0]
    assert {"--enable-features=Translate,WebMCP", "--lang=de"} <= set(line)


@pytest.mark.parametrize(
    "options",
    [LaunchOptions(page_tools=False), LaunchOptions(args=("--disable-features=WebMCP",))],
)
def test_launch_without_page_tools_passes_no_enable_features_flag(options: LaunchOptions) -> None:
    assert not [flag for flag in flags(options) if flag.startswith("--enable-features")]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (LaunchOptions(args=("--user-data-dir=/x",)), "args"),
        (LaunchOptions(args=("--remote-debugging-port=1",)), "args"),
        (LaunchOptions(args=("https://example.com",)), "args"),
        (LaunchOptions(window_size=(0, 5)), "window_size"),
        (LaunchOptions(browser="opera"), "browser"),  # type: ignore[arg-type]
        (LaunchOptions(transport="carrier"), "transport"),  # type: ignore[arg-type]
    ],
)
def test_invalid_launch_option_error_identifies_the_field(
    options: LaunchOptions, field: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        options.checked()
    assert caught.value.data["field"] == field


def test_sandbox_failure_is_recognized_in_stderr() -> None:
    assert sandbox_was_refused("[1:1:FATAL:x.cc(1)] No usable sandbox! If you are …")
    assert not sandbox_was_refused("Failed to connect to the bus")
