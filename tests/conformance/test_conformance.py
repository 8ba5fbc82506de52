"""One suite for all ways to a browser: each case gives the same results and errors."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conformance.callers import Caller, InProcess, comparable, on_a_fleet, served
from conformance.cases import CASES, PAGES, Step
from support.site import Site

from tabwarden.config import BrowserConfig


class Setting:
    """The same pages, folders and policy for all callers."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.names = {"here": site.here, "there": site.there}
        self.names["blocked"] = site.here.replace("127.0.0.1", "blocked.localhost")
        for path, body in PAGES.items():
            site.page(path, self.filled(body), title=path.strip("/").title())
        site.pages["/report.txt"] = "all is well"
        self.folders = {key: folder / key for key in ("upload_dir", "download_dir", "state_dir")}
        for made in self.folders.values():
            made.mkdir()
        (self.folders["upload_dir"] / "note.txt").write_text("hello from here")
        self.options = {"blocked_origins": ["blocked.localhost"], **self.folders}

    def filled(self, given: Any) -> Any:
        """Insert the site's addresses into a text, or into all texts of a step."""
        if isinstance(given, str):
            for name, address in self.names.items():
                given = given.replace("{" + name + "}", address)
            return given
        if isinstance(given, dict):
            return {key: self.filled(value) for key, value in given.items()}
        return [self.filled(one) for one in given] if isinstance(given, list) else given

    def run(self, caller: Caller, steps: list[Step]) -> list[Any]:
        for folder in ("download_dir", "state_dir"):
            for file in self.folders[folder].iterdir():
                file.unlink()
        outcomes = caller.run([(tool, self.filled(given)) for tool, given in steps])
        return [comparable(outcome) for outcome in outcomes]


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Setting]:
    with Site() as site:
        yield Setting(site, tmp_path_factory.mktemp("conformance"))


@pytest.fixture(scope="module")
def local(setting: Setting) -> Caller:
    return InProcess(BrowserConfig(**setting.options))


@pytest.fixture(scope="module")
def fleet(setting: Setting, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    folder = tmp_path_factory.mktemp("fleet")
    with on_a_fleet(BrowserConfig(**setting.options), folder) as caller:
        yield caller


@pytest.fixture(scope="module")
def server(setting: Setting) -> Iterator[Caller]:
    given = {
        f"TABWARDEN_BROWSER__{key.upper()}": str(path) for key, path in setting.folders.items()
    }
    given["TABWARDEN_BROWSER__BLOCKED_ORIGINS"] = json.dumps(["blocked.localhost"])
    with served(given) as caller:
        yield caller


@pytest.fixture(scope="module")
def expected(setting: Setting, local: Caller) -> dict[str, list[Any]]:
    """The local outcomes so far, by case."""
    _ = setting, local
    return {}


@pytest.mark.parametrize(
    "case",
    # The short run has every tenth case, without the slow one.
    [
        pytest.param(case, marks=[pytest.mark.long] if n % 10 or "hangs" in case else [])
        for n, case in enumerate(CASES)
    ],
)
@pytest.mark.parametrize("way", [pytest.param("fleet", marks=pytest.mark.long), "server"])
def test_server_and_fleet_return_the_same_results_and_errors_as_a_local_browser(
    way: str,
    case: str,
    setting: Setting,
    local: Caller,
    expected: dict[str, list[Any]],
    request: pytest.FixtureRequest,
) -> None:
    if case not in expected:
        expected[case] = setting.run(local, CASES[case])
    found = setting.run(request.getfixturevalue(way), CASES[case])
    for (tool, given), here, there in zip(CASES[case], expected[case], found, strict=True):
        differ = list(difflib.unified_diff(here, there, "here", way, lineterm="", n=0))
        assert not differ, "\n".join([f"{tool} {given}", *differ])
