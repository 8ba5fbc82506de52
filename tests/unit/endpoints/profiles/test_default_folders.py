"""Browsers' default profile folders on each system."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabwarden.endpoints.profiles import default_folders

HOME = Path("/h")
SUPPORT = "/h/Library/Application Support"
LOCAL = {"LOCALAPPDATA": "/h/AppData/Local"}


@pytest.mark.parametrize(
    ("system", "environment", "wanted"),
    [
        (
            "linux",
            {},
            {
                "chrome": "/h/.config/google-chrome",
                "chrome-dev": "/h/.config/google-chrome-unstable",
                "brave": "/h/.config/BraveSoftware/Brave-Browser",
                "chromium-snap": "/h/snap/chromium/common/chromium",
                "edge-flatpak": "/h/.var/app/com.microsoft.Edge/config/microsoft-edge",
            },
        ),
        (
            "linux",
            {"XDG_CONFIG_HOME": "/c"},
            {"edge": "/c/microsoft-edge", "chromium-snap": "/h/snap/chromium/common/chromium"},
        ),
        (
            "darwin",
            {},
            {
                "chrome": f"{SUPPORT}/Google/Chrome",
                "chrome-canary": f"{SUPPORT}/Google/Chrome Canary",
                "edge": f"{SUPPORT}/Microsoft Edge",
            },
        ),
        (
            "win32",
            LOCAL,
            {
                "chrome": "/h/AppData/Local/Google/Chrome/User Data",
                "chrome-canary": "/h/AppData/Local/Google/Chrome SxS/User Data",
                "brave": "/h/AppData/Local/BraveSoftware/Brave-Browser/User Data",
            },
        ),
    ],
)
def test_default_profile_folders_match_each_system_and_browser(
    system: str, environment: dict[str, str], wanted: dict[str, str]
) -> None:
    found = {one.name: str(one.path) for one in default_folders(environment, system, HOME)}
    assert {name: found[name] for name in wanted} == wanted
    assert next(iter(found)) == "chrome"
    assert len(set(found.values())) == len(found)
