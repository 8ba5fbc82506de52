"""Where Tabwarden looks for browsers, and in which order."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from support.needs import needs

from tabwarden.endpoints.finding.discover import (
    BROWSERS_PATH,
    ENVIRONMENT_VARIABLE,
    ONLY_INSTALLED,
    Installed,
    browsers_folder,
    candidates,
    ignored,
    of_the_system,
    words_for_ignored,
)
from tabwarden.errors import LaunchFailed

pytestmark = needs("posix")


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


def test_configured_executable_is_the_only_browser_candidate(tmp_path: Path) -> None:
    path = program(tmp_path / "my-browser")
    found = candidates(path, environment={ENVIRONMENT_VARIABLE: "/nowhere"})
    assert [one.path for one in found] == [path]


def test_missing_executable_error_contains_its_path_or_variable() -> None:
    with pytest.raises(LaunchFailed, match="/no/such/browser"):
        candidates("/no/such/browser")
    with pytest.raises(LaunchFailed, match=ENVIRONMENT_VARIABLE):
        candidates(environment={ENVIRONMENT_VARIABLE: "/no/such/browser"})


def test_browser_candidates_are_ordered_environment_installed_path(tmp_path: Path) -> None:
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


def test_linux_browser_candidates_are_ordered_chrome_edge_chromium_brave(tmp_path: Path) -> None:
    expected = [
        ("chrome", program(tmp_path / "opt/google/chrome/chrome"), "system"),
        ("chrome", program(tmp_path / "bin/google-chrome"), "path"),
        ("edge", program(tmp_path / "opt/microsoft/msedge/msedge"), "system"),
        ("chromium", program(tmp_path / "usr/bin/chromium"), "system"),
        ("chromium", program(tmp_path / "usr/bin/chromium-headless-shell"), "system"),
        ("chromium", program(tmp_path / "snap/bin/chromium"), "system"),
        ("brave", program(tmp_path / "opt/brave.com/brave/brave"), "system"),
        ("brave", program(tmp_path / "bin/brave"), "path"),
    ]
    found = list(of_the_system({"PATH": str(tmp_path / "bin")}, "linux", tmp_path))
    assert [(one.kind, one.path, one.source) for one in found] == expected
    assert [one.path.name for one in found if one.headless_only] == ["chromium-headless-shell"]


def test_browser_candidates_on_macos_come_from_both_application_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    inside = "Contents/MacOS"
    expected = [
        program(tmp_path / "Applications/Google Chrome.app" / inside / "Google Chrome"),
        program(tmp_path / "home/Applications/Google Chrome.app" / inside / "Google Chrome"),
        program(tmp_path / "Applications/Microsoft Edge.app" / inside / "Microsoft Edge"),
        program(tmp_path / "home/Applications/Chromium.app" / inside / "Chromium"),
        program(tmp_path / "Applications/Brave Browser.app" / inside / "Brave Browser"),
    ]
    found = list(of_the_system({"PATH": str(tmp_path)}, "darwin", tmp_path))
    assert [one.path for one in found] == expected


def test_browser_candidates_on_windows_come_from_program_files_and_local_app_data(
    tmp_path: Path,
) -> None:
    environment = {
        "PROGRAMFILES": str(tmp_path / "Program Files"),
        "PROGRAMFILES(X86)": str(tmp_path / "Program Files (x86)"),
        "LOCALAPPDATA": str(tmp_path / "Local"),
        "PATH": str(tmp_path),
    }
    chrome = "Google/Chrome/Application/chrome.exe"
    brave = "BraveSoftware/Brave-Browser/Application/brave.exe"
    expected = [
        program(tmp_path / "Program Files" / chrome),
        program(tmp_path / "Local" / chrome),
        program(tmp_path / "Program Files (x86)/Microsoft/Edge/Application/msedge.exe"),
        program(tmp_path / "Local/Chromium/Application/chrome.exe"),
        program(tmp_path / "Program Files" / brave),
    ]
    found = list(of_the_system(environment, "win32"))
    assert [one.path for one in found] == expected


def test_system_without_a_browser_has_no_browser_candidates(tmp_path: Path) -> None:
    for system in ("linux", "darwin", "win32"):
        assert list(of_the_system({"PATH": str(tmp_path)}, system, tmp_path)) == []


def test_browser_kind_option_also_filters_the_environment_variable(tmp_path: Path) -> None:
    brave = program(tmp_path / "bin" / "brave")
    edge = program(tmp_path / "bin" / "microsoft-edge")
    environment = {ENVIRONMENT_VARIABLE: str(brave), "PATH": str(tmp_path / "bin")}
    found = candidates(browser="edge", environment=environment, installed_in=tmp_path)
    assert edge in [one.path for one in found]
    assert {one.kind for one in found} == {"edge"}


def test_browser_candidates_contain_a_symlinked_browser_once(tmp_path: Path) -> None:
    path = program(tmp_path / "bin" / "google-chrome-stable")
    (tmp_path / "bin" / "google-chrome").symlink_to(path)
    found = candidates(
        browser="chrome", environment={"PATH": str(tmp_path / "bin")}, installed_in=tmp_path
    )
    assert [one.path for one in found].count(path) == 1
    assert tmp_path / "bin" / "google-chrome" not in [one.path for one in found]


def test_headed_mode_excludes_headless_shells_from_the_candidates(tmp_path: Path) -> None:
    installed = put_installed(tmp_path, headless_only=True)
    with_headless = candidates(environment={}, installed_in=tmp_path)
    with_window = candidates(environment={}, installed_in=tmp_path, headless=False)
    assert installed in [one.path for one in with_headless]
    assert installed not in [one.path for one in with_window]


def test_browser_candidates_skip_a_corrupt_record_of_an_installed_browser(tmp_path: Path) -> None:
    installed = put_installed(tmp_path)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "tabwarden.json").write_text("{")
    assert candidates(environment={}, installed_in=tmp_path)[0].path == installed


def test_environment_variable_sets_the_folder_of_installed_browsers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv(BROWSERS_PATH, "~/mine")
    assert browsers_folder() == tmp_path / "mine"
    installed = put_installed(tmp_path / "mine")
    assert candidates(environment={})[0].path == installed
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(BROWSERS_PATH, "mine")
    assert browsers_folder() == tmp_path / "mine"
    monkeypatch.setenv(BROWSERS_PATH, "")
    assert browsers_folder().name == "browsers"
    assert browsers_folder() != tmp_path / "mine"


@pytest.mark.parametrize("value", ["1", "true", "TRUE"])
def test_only_installed_variable_excludes_system_browsers(tmp_path: Path, value: str) -> None:
    brave = program(tmp_path / "bin" / "brave")
    installed = put_installed(tmp_path / "browsers")
    environment = {"PATH": str(tmp_path / "bin"), ONLY_INSTALLED: value}
    found = candidates(environment=environment, installed_in=tmp_path / "browsers")
    assert [one.path for one in found] == [installed]
    assert candidates(brave, environment=environment)[0].path == brave
    assert brave in [one.path for one in ignored(environment=environment)]
    left_out = ignored("brave", environment=environment)
    assert "brave" in {one.kind for one in left_out}
    assert brave not in [one.path for one in ignored("edge", environment=environment)]
    assert f"{ONLY_INSTALLED} is set" in words_for_ignored(left_out)


def test_only_installed_variable_does_not_exclude_a_configured_browser(tmp_path: Path) -> None:
    brave = program(tmp_path / "bin" / "brave")
    environment = {
        "PATH": str(tmp_path / "bin"), ENVIRONMENT_VARIABLE: str(brave), ONLY_INSTALLED: "1"
    }  # fmt: skip
    found = candidates(environment=environment, installed_in=tmp_path)
    assert [one.path for one in found] == [brave]
    assert brave not in [one.path for one in ignored(environment=environment)]


@pytest.mark.parametrize("value", ["", "0", "False"])
def test_browser_candidates_include_system_browsers_by_default(tmp_path: Path, value: str) -> None:
    brave = program(tmp_path / "bin" / "brave")
    environment = {"PATH": str(tmp_path / "bin"), ONLY_INSTALLED: value}
    assert brave in [one.path for one in candidates(environment=environment, installed_in=tmp_path)]
    assert ignored(environment=environment) == []
    assert words_for_ignored([]) == ""


def test_only_installed_variable_rejects_a_value_that_is_not_a_boolean() -> None:
    with pytest.raises(LaunchFailed, match="'yes please'") as caught:
        candidates(environment={ONLY_INSTALLED: "yes please"})
    assert caught.value.data["field"] == ONLY_INSTALLED
