"""Finding browsers by starting them, and attaching to a running one."""

from __future__ import annotations

import asyncio
import importlib
import os
from pathlib import Path

import pytest
from browser.endpoints.processes import make_program
from support.needs import needs

from tabwarden.budget import Budget
from tabwarden.endpoints import open_endpoint
from tabwarden.endpoints.finding import Candidate, choose, find_browsers
from tabwarden.endpoints.finding.probe import first_that_works
from tabwarden.endpoints.finding.probe_cache import ProbeCache
from tabwarden.endpoints.install import find_or_install, install
from tabwarden.endpoints.launch import launch
from tabwarden.endpoints.launching import BrowserKind, LaunchOptions
from tabwarden.errors import LaunchFailed
from tabwarden.wire import Connection

pytestmark = [
    pytest.mark.anyio,
    needs("posix"),
]

SNAP_STUB = "echo 'Command requires the chromium snap to be installed.' >&2; exit 1"


def candidate(path: Path) -> Candidate:
    return Candidate("chromium", path, "system")


async def test_finder_chooses_the_first_working_browser_and_starts_no_others(
    browser_path: Path, tmp_path: Path
) -> None:
    stub = make_program(tmp_path / "stub", SNAP_STUB)
    behind = make_program(tmp_path / "behind", f"touch {tmp_path}/started; exit 1")
    cache = ProbeCache(tmp_path / "probes.json")
    known = [candidate(stub), candidate(browser_path), candidate(behind)]
    found = await first_that_works(known, Budget(30_000), cache)
    assert found.path == browser_path
    assert "Chrome/" in found.product
    assert not (tmp_path / "started").exists()
    refused = cache.look_up(stub)
    assert refused is not None
    assert "snap" in refused.reason


async def test_probe_waits_its_entire_budget_for_the_only_candidate_browser(
    browser_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module(
        "tabwarden.endpoints.finding.probe"
    )  # the package has its function
    monkeypatch.setattr(module, "PROBE_MS", 200.0)
    slow = make_program(tmp_path / "slow", f'sleep 1; exec {browser_path} "$@"')
    cache = ProbeCache(tmp_path / "probes.json")
    found = await first_that_works([candidate(slow)], Budget(30_000), cache)
    assert found.path == slow


async def test_cached_probe_result_starts_no_browser(tmp_path: Path) -> None:
    program = make_program(tmp_path / "browser", f"touch {tmp_path}/started; exit 1")
    cache = ProbeCache(tmp_path / "probes.json")
    cache.store(program, "Chrome/1.2", "")
    found = await choose(Budget(1000), executable=program, cache=cache)
    assert found.version == "1.2"
    assert not (tmp_path / "started").exists()


async def test_error_without_a_browser_suggests_the_install_command(tmp_path: Path) -> None:
    stub = make_program(tmp_path / "stub", SNAP_STUB)
    cache = ProbeCache(tmp_path / "probes.json")
    with pytest.raises(LaunchFailed) as caught:
        await first_that_works([candidate(stub)], Budget(10_000), cache)
    assert "tabwarden browsers install`" in caught.value.hint
    assert caught.value.data["tried"][0]["path"] == str(stub)
    assert cache.look_up(stub) is None, "a refusal that left no browser is not believed twice"


async def test_probe_accepts_a_browser_with_noisy_stderr(
    browser_path: Path, tmp_path: Path
) -> None:
    noisy = make_program(
        tmp_path / "noisy",
        f'i=0; while [ $i -lt 3000 ]; do echo "ERROR: noise $i" >&2; i=$((i+1)); done\n'
        f'exec {browser_path} "$@"',
    )
    cache = ProbeCache(tmp_path / "probes.json")
    found = await find_browsers(Budget(20_000), executable=noisy, cache=cache)
    assert found[0].works


async def test_tabwarden_chrome_variable_excludes_other_browsers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub = make_program(tmp_path / "stub", SNAP_STUB)
    monkeypatch.setenv("TABWARDEN_CHROME", str(stub))
    with pytest.raises(LaunchFailed, match="stub"):
        await choose(Budget(10_000), cache=ProbeCache(tmp_path / "probes.json"))


@pytest.mark.parametrize(("kind", "name"), [("edge", "Microsoft Edge"), ("brave", "Brave")])
async def test_hint_for_edge_and_brave_does_not_suggest_installing_chromium(
    kind: BrowserKind, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWARDEN_ONLY_INSTALLED", "1")
    monkeypatch.delenv("TABWARDEN_CHROME", raising=False)
    monkeypatch.setenv("TABWARDEN_BROWSERS_PATH", str(tmp_path / "browsers"))
    with pytest.raises(LaunchFailed, match=f"Found no working {name}") as caught:
        await choose(Budget(10_000), browser=kind, cache=ProbeCache(tmp_path / "probes.json"))
    assert caught.value.hint.startswith(f"Tabwarden can't install {name}: install it yourself")
    assert "browsers install" not in caught.value.hint


async def test_only_installed_setting_excludes_system_browsers(
    browser_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWARDEN_ONLY_INSTALLED", "1")
    monkeypatch.delenv("TABWARDEN_CHROME", raising=False)
    monkeypatch.setenv("TABWARDEN_BROWSERS_PATH", str(tmp_path / "browsers"))
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    make_program(tmp_path / "brave", f"touch {tmp_path}/started; exit 1")
    cache = ProbeCache(tmp_path / "probes.json")
    for headless in (True, False):
        with pytest.raises(LaunchFailed, match="TABWARDEN_ONLY_INSTALLED is set") as caught:
            await choose(Budget(10_000), headless=headless, cache=cache)
        assert caught.value.data["tried"] == []
        assert "unset `TABWARDEN_ONLY_INSTALLED`" in caught.value.hint
    assert (await choose(Budget(30_000), executable=browser_path, cache=cache)).works
    monkeypatch.setenv("TABWARDEN_CHROME", str(browser_path))
    assert (await choose(Budget(30_000), cache=cache)).path == browser_path
    monkeypatch.delenv("TABWARDEN_CHROME")
    shell = tmp_path / "chrome-headless-shell"
    shell.symlink_to(browser_path)
    installed = (await install(Budget(30_000), from_file=shell)).found
    assert (await find_or_install(Budget(30_000), methods=[])).path == installed.path
    assert [one.path for one in await find_browsers(Budget(30_000), cache=cache)] == [shell]
    with pytest.raises(LaunchFailed, match="Only headless browsers") as caught:
        await choose(Budget(10_000), headless=False, cache=cache)
    assert caught.value.hint == "Launch headless, or unset `TABWARDEN_ONLY_INSTALLED`."
    assert not (tmp_path / "started").exists()


async def test_open_endpoint_accepts_every_address_format(browser_path: Path) -> None:
    browser = await launch(LaunchOptions(executable=browser_path, transport="port"), Budget(20_000))
    try:
        assert browser.ws_url is not None
        port = browser.ws_url.split(":")[2].split("/")[0]
        for url in (f"http://127.0.0.1:{port}", f"localhost:{port}", port, browser.ws_url):
            attached = await open_endpoint(url, Budget(5000), {"X-Key": "k"})
            assert attached.product == browser.product
            connection = Connection(attached.wire, lambda event: None, lambda reason: None)
            connection.start()
            async with asyncio.timeout(60):
                assert (await connection.call("Target.getTargets")).result is not None
            await connection.aclose()
        assert browser.exit_status is None
    finally:
        await browser.end(Budget(5000))
