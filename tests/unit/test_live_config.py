"""LiveConfig: a changed file is seen, a broken one changes nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tabwarden.config import BrowserConfig, load_config
from tabwarden.errors import InvalidArgument
from tabwarden.live_config import LiveConfig


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "config.yaml"
    path.write_text("browser: {headless: false}")
    return path


def live(file: Path) -> LiveConfig:
    return LiveConfig(lambda: load_config(file), file)


def test_a_change_of_the_file_is_seen_at_once(file: Path) -> None:
    config = live(file)
    assert config.browser.headless is False
    file.write_text("browser: {enabled: false}")
    assert (config.browser.enabled, config.browser.headless) == (False, True)


def test_a_file_that_can_not_be_obeyed_changes_nothing_until_it_is_mended(file: Path) -> None:
    config = live(file)
    file.write_text("browser: {headles: true}")
    assert config.browser.headless is False
    assert config.problem is not None
    assert "browser.headless" in config.problem.hint
    file.write_text("browser: {headless: true}")
    assert config.browser.headless is True
    assert config.problem is None


def test_a_first_file_that_can_not_be_obeyed_is_an_error(file: Path) -> None:
    file.write_text("browser: {headles: true}")
    with pytest.raises(InvalidArgument, match="headles"):
        live(file)


def test_changes_are_told(file: Path) -> None:
    async def told() -> bool:
        config = live(file)
        changes = config.changes()
        first = asyncio.ensure_future(anext(changes))
        await asyncio.sleep(0)
        file.write_text("browser: {evaluate_enabled: false}")  # noqa: ASYNC240 - a line
        return (await first).browser.evaluate_enabled

    assert asyncio.run(told()) is False


def test_a_fixed_one_stays() -> None:
    given = BrowserConfig(headless=False)
    assert LiveConfig.fixed(given).browser is given
