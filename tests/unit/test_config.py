"""Configuration: file, environment, arguments; later wins; what is unknown is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabwarden import load_config
from tabwarden.errors import InvalidArgument


@pytest.fixture(autouse=True)
def _no_configuration_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    monkeypatch.delenv("TABWARDEN_CONFIG", raising=False)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "config.yaml"
    path.write_text("browser:\n  dialog_policy: auto_accept\n  default_timeout_ms: 1000\n")
    return path


def test_the_defaults_are_those_of_the_contract() -> None:
    browser = load_config().browser
    assert (browser.enabled, browser.dialog_policy, browser.dialog_timeout_s) == (
        True,
        "must_respond",
        300.0,
    )
    assert (browser.evaluate_enabled, browser.headless, browser.endpoint) == (True, True, None)


def test_later_wins(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_config(file).browser.dialog_policy == "auto_accept"
    monkeypatch.setenv("TABWARDEN_BROWSER__DIALOG_POLICY", "auto_dismiss")
    assert load_config(file).browser.dialog_policy == "auto_dismiss"
    assert load_config(file, dialog_policy="must_respond").browser.dialog_policy == "must_respond"
    assert load_config(file, dialog_policy=None).browser.default_timeout_ms == 1000


def test_the_environment_names_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABWARDEN_CONFIG", str(file))
    assert load_config().browser.dialog_policy == "auto_accept"


@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        ("browser: {dialog_polcy: x}", "browser.dialog_polcy", "browser.dialog_policy"),
        ("browsr: {}", "browsr", "browser"),
        ("browser: {dialog_policy: maybe}", "browser.dialog_policy", "auto_dismiss"),
        ("browser: {default_timeout_ms: soon}", "browser.default_timeout_ms", "soon"),
        ("browser: {default_timeout_ms: 0}", "browser.default_timeout_ms", "greater"),
        ("browser: 7", "browser", "7"),
        ("- a\n- b", "config", "YAML"),
        ("browser: [", "config", "YAML"),
    ],
)
def test_what_is_wrong_is_named(text: str, field: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text)
    with pytest.raises(InvalidArgument) as caught:
        load_config(path)
    assert caught.value.data["field"] == field
    assert words in str(caught.value)


def test_a_wrong_environment_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABWARDEN_BROWSER__DIALOG_POLICY", "maybe")
    with pytest.raises(InvalidArgument, match=r"browser\.dialog_policy"):
        load_config()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="nowhere"):
        load_config(tmp_path / "nowhere.yaml")
