"""A file or folder that a person named, or that another program wrote, may be anything: whoever
reads it ends soon, with a result or with an error of ours."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from support.needs import needs, require
from support.odd_files import ODD, nobody

from tabwarden.budget import Budget
from tabwarden.config import (
    BrowserConfig,
    download_folder,
    load_config,
    output_folder,
    state_folder,
    upload_folder,
)
from tabwarden.endpoints.finding import ProbeCache
from tabwarden.endpoints.finding.discover import candidates
from tabwarden.endpoints.finding.offers import offer_in
from tabwarden.endpoints.install import install_axe
from tabwarden.endpoints.install.download import Source
from tabwarden.errors import TabwardenError
from tabwarden.integrations.camofox.address import CamofoxAddress
from tabwarden.integrations.camofox.server import Server
from tabwarden.integrations.hermes.plugin.server import _token
from tabwarden.page.devtools.audit import script_of
from tabwarden.page.routing.wanted import AskedRoute, wanted_route
from tabwarden.page.scripts import init_script
from tabwarden.page.storage import state_file
from tabwarden.supervisor.contexts.shared_key import family_secret
from tabwarden.surfaces.guard.listening import kept_token
from tabwarden.surfaces.guard.token_file import read_tokens
from tabwarden.surfaces.live.registry import servers
from tabwarden.sync import Browser

pytestmark = needs("linux")

_SOON_MS = 5_000
_DIGEST = f"sha256-{64 * '0'}"


def _opening(**given: Any) -> None:
    """Launch a program that exits at once instead of a browser, with ``browser`` options."""
    given = {"executable": "/bin/true", **given}
    Browser.launch(config=load_config(**given).browser, timeout_ms=_SOON_MS).close()


def _awaited(coroutine: Coroutine[Any, Any, object]) -> None:
    asyncio.run(coroutine)


def _fleet_secrets(listen: str) -> None:
    require("ray")
    from tabwarden.fleet.on_ray.secrets_folder import use_secrets

    use_secrets(listen, make=True)


def _fleet_mark() -> None:
    require("ray")
    from tabwarden.fleet.on_ray.own_processes import marked

    marked()


def _of(make: Callable[[BrowserConfig], object], key: str, file: Path) -> None:
    make(BrowserConfig.model_validate({key: file}))


NAMED: Mapping[str, Callable[[Path], object]] = {
    "browser.executable": lambda file: _opening(executable=file),
    "browser.user_data_dir": lambda file: _opening(user_data_dir=file),
    "browser.profiles_dir": lambda file: _opening(profiles_dir=file, profile="work"),
    "browser.extensions": lambda file: _opening(extensions=[file]),
    "browser.ca": lambda file: _opening(ca=file),
    "browser.init_scripts": lambda file: _opening(init_scripts=[file]),
    "browser.secrets_file": lambda file: _opening(secrets_file=file),
    "browser.secrets.NAME.file": lambda file: _opening(secrets={"NAME": {"file": file}}),
    "browser.download_dir": partial(_of, download_folder, "download_dir"),
    "browser.upload_dir": partial(_of, upload_folder, "upload_dir"),
    "browser.state_dir": partial(_of, state_folder, "state_dir"),
    "browser.output_dir": partial(_of, output_folder, "output_dir"),
    "browser.axe": script_of,
    "server.tokens_file": read_tokens,
    "path of browser_init_script": lambda file: init_script.given(None, file),
    "path of browser_route": lambda file: wanted_route(AskedRoute("**/*", status=200, file=file)),
    "filename of browser_storage_state": lambda file: _awaited(
        state_file.given(file.parent, file.name)
    ),
}
"""What reads a file or a folder that a person or an agent names, by what names it."""
LEFT: Mapping[str, tuple[str, Callable[[Path], object]]] = {
    "a restored state": (
        "states/mine.json",
        lambda home: state_file.found(home / "states/mine.json"),
    ),
    "an extension's manifest": ("x/manifest.json", lambda home: _opening(extensions=[home / "x"])),
    "a profile's lock": ("x/tabwarden.lock", lambda home: _opening(user_data_dir=home / "x")),
    "a profile's authorities": (
        "x/tabwarden-ca",
        lambda home: _opening(user_data_dir=home / "x"),
    ),
    "the server's token": ("server.token", lambda home: kept_token(home / "server.token")),
    "the server's token, for a plugin": ("state/tabwarden/server.token", lambda home: _token()),
    "the key of supervisors": (
        "state/tabwarden/family.key",
        lambda home: family_secret.__wrapped__(),
    ),
    "the mark of a fleet": ("state/tabwarden/fleet.mark", lambda home: _fleet_mark()),
    "the token of a fleet": ("fleet/ray.token", lambda home: _fleet_secrets("127.0.0.1")),
    "the authority of a fleet": ("fleet/ca.pem", lambda home: _fleet_secrets("10.9.8.7")),
    "the authority's key": ("fleet/ca.key", lambda home: _fleet_secrets("10.9.8.7")),
    "a server's entry": ("state/tabwarden/live/1-x.json", lambda home: servers()),
    "a browser's probe": (
        "probes.json",
        lambda home: ProbeCache(home / "probes.json").look_up(home),
    ),
    "an installed browser": (
        "browsers/chrome-1/tabwarden.json",
        lambda home: candidates(installed_in=home / "browsers"),
    ),
    "a Chrome's debugging port": (
        "chrome/DevToolsActivePort",
        lambda home: _awaited(offer_in(home / "chrome", "chrome", Budget(_SOON_MS))),
    ),
}
"""What reads a file that another program, or an earlier run, left; and where that file is."""


CLIENTS: Mapping[str, Callable[[], object]] = {
    "https": lambda: Browser.connect("https://nowhere.invalid"),
    "wss": lambda: Browser.connect("wss://nowhere.invalid"),
    "steel": lambda: Browser.connect("steel:"),
    "camofox": lambda: Server(CamofoxAddress("https://nowhere.invalid", "", ""), "me"),
    "a download": lambda: _awaited(
        install_axe(Budget(_SOON_MS), source=Source("https://nowhere.invalid/x", _DIGEST))
    ),
}
"""Clients that trust the certificate authorities in an environment variable."""


@pytest.fixture
def home() -> Iterator[Path]:
    """A world-writable folder that contains all of Tabwarden's files."""
    made = Path(tempfile.mkdtemp(prefix="tw-odd-"))
    made.chmod(0o777)
    was = os.umask(0o077)  # a key file that others can read is replaced unread
    with mock.patch.dict(
        os.environ, {"HOME": str(made), "TABWARDEN_FLEET_SECRETS": f"{made}/fleet"}
    ):
        for kind in ("STATE", "CONFIG", "CACHE", "DATA"):
            os.environ[f"XDG_{kind}_HOME"] = str(made / kind.lower())
        yield made
    os.umask(was)
    shutil.rmtree(made)


def told(work: Callable[[], object], what: str) -> str:
    """Return the message and the hint of our error; "" if there is none."""
    with nobody() if what == "closed to us" else nullcontext():
        try:
            work()
        except TabwardenError as error:
            return f"{error.message}\n{error.hint}"
    return ""


@pytest.mark.threat
@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("option", NAMED)
def test_reading_a_given_malformed_file_returns_a_result_or_raises_a_tabwarden_error(
    home: Path, option: str, what: str
) -> None:
    file = home / "odd.file"
    ODD[what](file)
    assert not told(lambda: NAMED[option](file), what).endswith("\n")


@pytest.mark.threat
@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("whose", LEFT)
def test_reading_another_programs_malformed_file_returns_a_result_or_raises_an_error(
    home: Path, whose: str, what: str
) -> None:
    where, work = LEFT[whose]
    file = home / where
    file.parent.mkdir(parents=True, exist_ok=True)
    ODD[what](file)
    assert not told(lambda: work(home), what).endswith("\n")


@pytest.mark.threat
@pytest.mark.parametrize("what", ["missing", "folder", "pipe", "bytes", "link to itself"])
@pytest.mark.parametrize("client", CLIENTS)
def test_malformed_ssl_cert_file_raises_a_tabwarden_error(
    home: Path, monkeypatch: pytest.MonkeyPatch, client: str, what: str
) -> None:
    file = home / "odd.file"
    ODD[what](file)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    monkeypatch.setenv("STEEL_API_KEY", "a-key")
    words = told(CLIENTS[client], what)
    assert "SSL_CERT_FILE" in words or client == "wss"
    assert words
