"""LiveConfig: it applies a changed file, and ignores an invalid one."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.needs import needs

from tabwarden.config import BrowserConfig, Config, load_config
from tabwarden.errors import InvalidArgument
from tabwarden.live_config import LiveConfig


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "config.yaml"
    path.write_text("browser: {headless: false}")
    return path


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABWARDEN_CONFIG", raising=False)


def live(file: Path) -> LiveConfig:
    return LiveConfig(lambda: load_config(file), file)


def test_live_config_detects_a_changed_file_at_once(file: Path) -> None:
    config = live(file)
    assert config.browser.headless is False
    file.write_text("browser: {enabled: false}")
    assert (config.browser.enabled, config.browser.headless) == (False, True)


def test_live_config_keeps_the_old_values_while_the_file_is_invalid(file: Path) -> None:
    config = live(file)
    file.write_text("browser: {headles: true}")
    assert config.browser.headless is False
    assert config.problem is not None
    assert "browser.headless" in config.problem.hint
    file.write_text("browser: {headless: true}")
    assert config.browser.headless is True
    assert config.problem is None


def test_live_config_raises_when_the_first_file_is_invalid(file: Path) -> None:
    file.write_text("browser: {headles: true}")
    with pytest.raises(InvalidArgument, match="headles"):
        live(file)


def test_live_config_reports_each_change_even_after_a_failing_callback(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def told() -> list[bool]:
        seen: asyncio.Queue[bool] = asyncio.Queue()

        def obey(now: Config) -> None:
            seen.put_nowait(now.browser.evaluate_enabled)
            if not now.browser.evaluate_enabled:
                raise RuntimeError("one browser does not hear")

        answers = []
        async with live(file).followed(obey):
            for wanted in ("false", "true"):
                file.write_text(f"browser: {{evaluate_enabled: {wanted}}}")  # noqa: ASYNC240
                answers.append(await seen.get())
        return answers

    assert asyncio.run(asyncio.wait_for(told(), 60)) == [False, True]
    assert "one browser does not hear" in caplog.text


def test_fixed_live_config_returns_the_given_configuration() -> None:
    given = BrowserConfig(headless=False)
    assert LiveConfig.fixed(given).browser is given


def test_live_config_detects_a_replaced_file_with_the_same_size_and_mtime(file: Path) -> None:
    config = live(file)
    before = file.stat()
    draft = file.with_name("draft")
    draft.write_text("browser: {headless: true }")
    os.utime(draft, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert draft.stat().st_size == before.st_size
    os.replace(draft, file)
    assert config.browser.headless is True


def test_live_config_detects_changes_faster_than_the_file_timestamp_resolution(file: Path) -> None:
    config = live(file)
    for port in (1000, 2000, 3000, 4000):  # equal in size, within the file's timestamp resolution
        file.write_text(f"server: {{port: {port}}}")
        assert config.now.server.port == port


def test_live_config_keeps_the_values_of_a_deleted_file_until_it_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))  # the usual place, where none need be
    file = tmp_path / "tabwarden/config.yaml"
    config = LiveConfig(load_config, file)
    assert config.browser.enabled is True
    assert config.problem is None
    file.parent.mkdir()
    file.write_text("browser: {enabled: false}")
    assert config.browser.enabled is False
    file.unlink()
    with caplog.at_level(logging.INFO, "tabwarden.config"):
        assert config.browser.enabled is False
        assert config.browser.enabled is False
        assert "was deleted" in str(config.problem)
        assert len(caplog.records) == 1
        file.write_text("browser: {enabled: true}")
        assert config.browser.enabled is True
    assert config.problem is None
    assert "is valid again" in caplog.text


def test_live_config_waits_for_a_file_that_an_editor_just_emptied(file: Path) -> None:
    file.write_text("browser: {enabled: false}")
    config = live(file)
    with file.open("w") as editor:
        assert config.browser.enabled is False
        editor.write("browser: {evaluate_enabled: false}")
    assert (config.browser.enabled, config.browser.evaluate_enabled) == (True, False)


def test_live_config_uses_the_defaults_for_a_file_that_stays_empty(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = live(file)
    file.write_text("")
    later = time.time_ns() + 2_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: later)
    assert config.browser == BrowserConfig()


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    """Root can read every file."""
    was = os.geteuid()
    if was == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(was)


@needs("posix")
def test_live_config_keeps_the_old_values_while_the_file_is_unreadable(file: Path) -> None:
    config = live(file)
    assert config.browser.headless is False
    file.chmod(0)
    with as_nobody():
        assert config.browser.headless is False
        assert "chmod u+r" in str(config.problem)
        with pytest.raises(InvalidArgument, match="ermission"):
            live(file)
    file.chmod(0o600)
    assert config.browser.headless is False
    assert config.problem is None


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_live_config_keeps_the_old_values_when_the_file_becomes_a_folder_or_pipe(
    file: Path, kind: str
) -> None:
    config = live(file)
    file.unlink()
    if kind == "folder":
        file.mkdir()
    else:
        os.mkfifo(file)
    assert config.browser.headless is False
    assert "regular file" in str(config.problem)


def test_environment_variables_override_a_changed_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWARDEN_BROWSER__HEADLESS", "no")
    config = live(file)
    file.write_text("browser: {headless: true, enabled: false}")
    assert (config.browser.headless, config.browser.enabled) == (False, False)


def test_live_config_neither_rereads_an_unchanged_file_nor_reports_a_touched_one(
    file: Path,
) -> None:
    long_ago = time.time_ns() - 10**12
    read = []

    def load() -> Config:
        read.append(1)
        return load_config(file)

    config = LiveConfig(load, file)
    first = config.now
    os.utime(file, ns=(long_ago, long_ago))
    assert config.now is first
    while time.time_ns() - file.stat().st_ctime_ns < 60_000_000:
        assert config.now is first
    _ = config.now
    reads = len(read)
    for _ in range(1000):
        assert config.now is first
    assert len(read) == reads


def test_all_threads_see_the_latest_configuration(file: Path) -> None:
    config = live(file)
    wrong: list[int] = []
    written = 0
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            before = written
            seen = config.now.server.port
            if seen != 8414 and seen < before:
                wrong.append(seen)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    draft = file.with_name("draft")
    for port in range(1, 60):
        draft.write_text(f"server: {{port: {port}}}")
        os.replace(draft, file)
        written = port
    done.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert config.now.server.port == 59
