"""Named profiles: persistent, listed, removable, and used by one browser at a time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.site import Site

from tabwarden import BrowserConfig
from tabwarden.errors import InvalidArgument, LaunchFailed
from tabwarden.surfaces.cli import main
from tabwarden.sync import Browser

ANOTHER = """
import sys
from tabwarden.sync import Browser
from tabwarden import BrowserConfig
Browser.launch(config=BrowserConfig(profiles_dir=sys.argv[1], profile="work"))
"""


def run(*words: str) -> str:
    done = CliRunner().invoke(main, ["profiles", *words])
    return done.output


def test_named_profile_persists_and_allows_one_browser_at_a_time(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWARDEN_BROWSER__PROFILES_DIR", str(tmp_path))
    config = BrowserConfig(profiles_dir=tmp_path)
    assert "There are no profiles" in run("list")
    with Browser.launch(profile="work", config=config) as browser:
        browser.goto(site.page("/", "page"))
        browser.cookies("set", name="login", value="1", expires=4e9)
        with pytest.raises(LaunchFailed, match=r"process \d+ on") as refused:
            Browser.launch(profile="work", config=config)
        assert "another profile" in refused.value.hint
        os.kill(refused.value.data["holder"]["pid"], 0)
        another = [sys.executable, "-c", ANOTHER, str(tmp_path)]
        told = subprocess.run(another, capture_output=True, text=True).stderr
        assert f"process {refused.value.data['holder']['pid']} on" in told
        assert f"process {refused.value.data['holder']['pid']} on" in run("list")
        assert "can't be removed" in run("remove", "work")
    with Browser.launch(config=config.model_copy(update={"profile": "work"})) as browser:
        assert [one["name"] for one in browser.cookies().value] == ["login"]
    assert run("path", "work").strip() == str(tmp_path / "work")
    assert "process" not in run("list")
    assert run("remove", "work").startswith("Removed work (")
    assert list(tmp_path.iterdir()) == []
    assert "There is no profile 'work'" in run("remove", "work")


@pytest.mark.parametrize("given", ["profile", "user_data_dir"])
def test_named_profile_keeps_session_cookies_after_the_browser_closes(
    given: str, site: Site, tmp_path: Path
) -> None:
    """Chromium deletes session cookies when it exits, and many logins are session cookies."""
    which = {given: "work" if given == "profile" else tmp_path / "work"}
    config = BrowserConfig(profiles_dir=tmp_path)
    with Browser.launch(config=config, **which) as browser:
        browser.goto(site.page("/", "page"))
        for name in ("login", "gone"):
            browser.cookies("set", name=name, value="1")
    with Browser.launch(config=config, **which) as browser:
        browser.goto(site.page("/", "page"))
        assert {one["name"] for one in browser.cookies().value} == {"login", "gone"}
        browser.cookies("delete", name="gone")
    with Browser.launch(config=config, **which) as browser:
        browser.goto(site.page("/", "page"))
        assert [one["name"] for one in browser.cookies().value] == ["login"]
    (kept,) = (tmp_path / "work").glob("*session-cookies.json")
    assert kept.stat().st_mode & 0o077 == 0


def test_launch_rejects_invalid_profile_names(tmp_path: Path) -> None:
    for name in ("", "../x", "a/b", ".a", "con", 5):
        with pytest.raises(InvalidArgument) as refused:
            Browser.launch(profile=name)  # type: ignore[arg-type]
        assert refused.value.data["field"] == "profile"
    with pytest.raises(InvalidArgument, match="can't be combined") as refused:
        Browser.launch(profile="a", user_data_dir=tmp_path)
    assert refused.value.data["field"] == "profile"
