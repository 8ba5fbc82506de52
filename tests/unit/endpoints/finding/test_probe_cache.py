"""The probe cache is valid while the browser file is unchanged, and never causes a failure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tabwarden.endpoints.finding import probe_cache
from tabwarden.endpoints.finding.probe_cache import ProbeCache


@pytest.fixture
def browser(tmp_path: Path) -> Path:
    path = tmp_path / "browser"
    path.write_text("one")
    return path


@pytest.fixture
def cache(tmp_path: Path) -> ProbeCache:
    return ProbeCache(tmp_path / "cache" / "probes.json")


def test_probe_cache_returns_a_stored_result(cache: ProbeCache, browser: Path) -> None:
    assert cache.look_up(browser) is None
    cache.store(browser, "Chrome/1", "")
    answer = cache.look_up(browser)
    assert answer is not None
    assert answer.product == "Chrome/1"


def test_probe_cache_discards_a_result_when_the_browser_file_changes(
    cache: ProbeCache, browser: Path
) -> None:
    cache.store(browser, "Chrome/1", "")
    status = browser.stat()
    os.utime(browser, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert cache.look_up(browser) is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"a": 1}', b"\xff\xfe"])
def test_probe_cache_replaces_a_corrupt_cache_file(
    tmp_path: Path, browser: Path, content: bytes
) -> None:
    file = tmp_path / "probes.json"
    file.write_bytes(content)
    cache = ProbeCache(file)
    assert cache.look_up(browser) is None
    cache.store(browser, "Chrome/1", "")
    assert cache.look_up(browser) is not None


def test_probe_cache_expires_a_failed_result(
    cache: ProbeCache, browser: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.store(browser, "", "a library is missing")
    assert cache.look_up(browser) is not None
    monkeypatch.setattr(probe_cache, "REFUSAL_HOLDS_S", 0.0)
    assert cache.look_up(browser) is None


def test_probe_cache_discards_a_result_on_request(cache: ProbeCache, browser: Path) -> None:
    cache.store(browser, "Chrome/1", "")
    cache.forget(browser)
    assert cache.look_up(browser) is None


def test_probe_cache_tolerates_an_unwritable_folder(tmp_path: Path, browser: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = ProbeCache(tmp_path / "file" / "probes.json")
    cache.store(browser, "Chrome/1", "")
    assert cache.look_up(browser) is None
