"""Where browsers are looked for, and in which order."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

from tabwarden.endpoints.discover import ENVIRONMENT_VARIABLE, Installed, candidates
from tabwarden.errors import LaunchFailed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="executable bits")


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def put_installed(folder: Path, *, headless_only: bool = False) -> Path:
    path = program(folder / "thing-1" / "run")
    record = Installed("thing", "1", "chromium", "run", headless_only)
    (folder / "thing-1" / "tabwarden.json").write_bytes(msgspec.json.encode(record))
    return path


def test_named_executable_is_the_only_candidate(tmp_path: Path) -> None:
    path = program(tmp_path / "my-browser")
    found = candidates(path, environment={ENVIRONMENT_VARIABLE: "/nowhere"})
    assert [one.path for one in found] == [path]


def test_missing_executable_is_named() -> None:
    with pytest.raises(LaunchFailed, match="/no/such/browser"):
        candidates("/no/such/browser")
    with pytest.raises(LaunchFailed, match=ENVIRONMENT_VARIABLE):
        candidates(environment={ENVIRONMENT_VARIABLE: "/no/such/browser"})


def test_order_is_environment_then_installed_then_path(tmp_path: Path) -> None:
    from_environment = program(tmp_path / "chosen" / "brave")
    installed = put_installed(tmp_path / "browsers")
    on_path = program(tmp_path / "bin" / "google-chrome")
    found = candidates(
        environment={ENVIRONMENT_VARIABLE: str(from_environment), "PATH": str(on_path.parent)},
        installed_in=tmp_path / "browsers",
    )
    paths = [one.path for one in found]
    assert paths[:2] == [from_environment, installed]
    assert on_path in paths


def test_kind_filters_the_environment_too(tmp_path: Path) -> None:
    brave = program(tmp_path / "bin" / "brave")
    edge = program(tmp_path / "bin" / "microsoft-edge")
    environment = {ENVIRONMENT_VARIABLE: str(brave), "PATH": str(tmp_path / "bin")}
    found = candidates(browser="edge", environment=environment, installed_in=tmp_path)
    assert edge in [one.path for one in found]
    assert {one.kind for one in found} == {"edge"}


def test_one_browser_under_two_names_comes_once(tmp_path: Path) -> None:
    path = program(tmp_path / "bin" / "google-chrome-stable")
    (tmp_path / "bin" / "google-chrome").symlink_to(path)
    found = candidates(
        browser="chrome", environment={"PATH": str(tmp_path / "bin")}, installed_in=tmp_path
    )
    assert [one.path for one in found].count(path) == 1
    assert tmp_path / "bin" / "google-chrome" not in [one.path for one in found]


def test_a_window_excludes_headless_shells(tmp_path: Path) -> None:
    installed = put_installed(tmp_path, headless_only=True)
    with_headless = candidates(environment={}, installed_in=tmp_path)
    with_window = candidates(environment={}, installed_in=tmp_path, headless=False)
    assert installed in [one.path for one in with_headless]
    assert installed not in [one.path for one in with_window]


def test_broken_record_of_an_installed_browser_is_passed_over(tmp_path: Path) -> None:
    installed = put_installed(tmp_path)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "tabwarden.json").write_text("{")
    assert candidates(environment={}, installed_in=tmp_path)[0].path == installed
