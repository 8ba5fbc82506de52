"""The command that is suggested on a system without a browser."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tabwarden.endpoints.install.chrome_for_testing import PINNED
from tabwarden.endpoints.install.download import parse_digest
from tabwarden.endpoints.install.npm import pinned
from tabwarden.endpoints.remedy import DOWNLOADABLE, browser_command, own_program, this_platform

OURS = "tabwarden browsers install"


def only(*programs: str) -> Callable[[str], str | None]:
    return lambda name: f"/usr/bin/{name}" if name in programs else None


@pytest.mark.parametrize(
    ("here", "programs", "root", "command"),
    [
        ("linux64", ("apt-get",), False, OURS),
        ("linux64", ("dnf",), True, OURS),
        ("mac-arm64", ("brew",), False, OURS),
        ("win64", ("winget",), True, OURS),
        ("linux-arm64", ("apt-get",), True, OURS),
        ("linux-arm64", ("apt-get",), False, "sudo apt-get install -y chromium"),
        ("linux-arm64", ("dnf",), True, "dnf install -y chromium"),
        ("linux-arm64", ("pacman",), False, "sudo pacman -S --noconfirm chromium"),
        ("linux-musl64", ("apk",), True, "apk add chromium"),
        ("win-arm64", ("winget",), True, "winget install --exact --id Google.Chrome"),
        ("freebsd64", (), False, OURS),
    ],
)
def test_suggested_browser_install_command_works_on_each_system(
    here: str, programs: tuple[str, ...], root: bool, command: str
) -> None:
    assert browser_command(here, only("tabwarden", *programs), root) == command
    assert browser_command(here, only("tabwarden", *programs), root, own=True) == OURS


def own(name: str) -> str | None:
    return str(Path(sys.executable).with_name(name))


@pytest.mark.parametrize(
    ("which", "environment", "found"),
    [
        (only("tabwarden"), {}, True),  # pipx, uv tool install
        (own, {"VIRTUAL_ENV": sys.prefix}, True),
        (own, {}, False),  # uvx
        (own, {"VIRTUAL_ENV": sys.prefix, "UV_RUN_RECURSION_DEPTH": "1"}, False),  # the bundle
        (own, {"VIRTUAL_ENV": "/home/ann/other"}, False),
        (only(), {}, False),
    ],
)
def test_suggested_command_runs_this_tabwarden_installation_from_the_users_shell(
    which: Callable[[str], str | None], environment: dict[str, str], found: bool
) -> None:
    program = own_program(which, environment)
    assert program == ("tabwarden" if found else f"{shlex.quote(sys.executable)} -m tabwarden")
    assert browser_command("linux64", which, root=True).endswith(" browsers install")
    done = subprocess.run(
        [*shlex.split(program), "--version"],
        capture_output=True, text=True, timeout=60, check=True,
        env={"PATH": str(Path(sys.executable).parent)},
    )  # fmt: skip
    assert "tabwarden, version " in done.stdout


def test_every_downloadable_platform_has_a_pinned_build() -> None:
    assert frozenset(PINNED) == DOWNLOADABLE
    for platform, build in PINNED.items():
        assert parse_digest(build.source.digest)[0] == "sha256"
        assert f"/{platform}/chrome-{platform}.zip" in build.source.url
        assert build.source.url.startswith("https://")
    assert parse_digest(pinned({}).digest)[0] == "sha512"


def test_npm_mirror_must_deliver_the_same_pinned_file() -> None:
    usual, mirror = pinned({}), pinned({"npm_config_registry": "https://npm.example/team/"})
    assert usual.url.startswith("https://registry.npmjs.org/@sparticuz/chromium/-/chromium-")
    assert mirror.url.startswith("https://npm.example/team/@sparticuz/chromium/-/chromium-")
    assert usual.digest == mirror.digest


def test_current_platform_has_a_build_name() -> None:
    assert this_platform().startswith(("linux", "mac-", "win"))
