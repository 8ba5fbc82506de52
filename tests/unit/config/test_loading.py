"""Configuration from file, environment and arguments; unknown keys are errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabwarden import load_config
from tabwarden.config import BrowserConfig
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


def test_browser_defaults_match_the_contract() -> None:
    browser = load_config().browser
    assert (browser.enabled, browser.dialog_policy, browser.dialog_timeout_s) == (
        True,
        "must_respond",
        300.0,
    )
    assert (browser.evaluate_enabled, browser.headless, browser.endpoint) == (True, True, None)


def test_arguments_override_the_environment_which_overrides_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load_config(file).browser.dialog_policy == "auto_accept"
    monkeypatch.setenv("TABWARDEN_BROWSER__DIALOG_POLICY", "auto_dismiss")
    assert load_config(file).browser.dialog_policy == "auto_dismiss"
    assert load_config(file, dialog_policy="must_respond").browser.dialog_policy == "must_respond"
    assert load_config(file, dialog_policy=None).browser.default_timeout_ms == 1000


def test_load_config_accepts_openclaws_key_names(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("browser:\n  headless: false\n  evaluateEnabled: false\n")
    assert load_config(path).browser.evaluate_enabled is False
    path.write_text("browser:\n  headless: false\n  evaluateEnabled: maybe\n")
    with pytest.raises(InvalidArgument, match=r"evaluate_enabled.*line 3"):
        load_config(path)
    path.write_text("browser: {evaluateEnabled: false, evaluate_enabled: true}")
    with pytest.raises(InvalidArgument, match=r"Keep only browser.evaluate_enabled"):
        load_config(path)


def test_environment_variable_sets_the_config_file_path(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        ("browser: 7", "browser", "mapping"),
        ("- a\n- b", "config", "YAML"),
        ("browser: [", "config", "YAML"),
        ("1: 2", "config", "YAML"),
        ("7", "config", "YAML"),
        ("browser: {}\n---\nbrowser: {}", "config", "single document"),
        ("!!python/object/apply:os.getcwd []", "config", "YAML"),
        ("browser: {1: 2}", "browser.1", "strings"),
        ("browser: {headless: maybe}", "browser.headless", "maybe"),
        ("browser: {executable: [a]}", "browser.executable", "path"),
        ("browser: {dialog_timeout_s: .nan}", "browser.dialog_timeout_s", "nan"),
        ("browser: {default_timeout_ms: true}", "browser.default_timeout_ms", "milliseconds"),
        ("browser: {default_timeout_ms: 86400001}", "browser.default_timeout_ms", "86400000"),
        ("browser: {timeouts_ms: 7}", "browser.timeouts_ms", "mapping"),
        ("browser: {timeouts_ms: {evaluate: 0}}", "browser.timeouts_ms.evaluate", "greater"),
        ("browser: {timeouts_ms: {evaluate: -1}}", "browser.timeouts_ms.evaluate", "greater"),
        ("browser: {timeouts_ms: {evaluate: .inf}}", "browser.timeouts_ms.evaluate", "inf"),
        ("browser: {timeouts_ms: {evaluate: .nan}}", "browser.timeouts_ms.evaluate", "nan"),
        ("browser: {timeouts_ms: {evaluate: soon}}", "browser.timeouts_ms.evaluate", "soon"),
        ("browser: {timeouts_ms: {evaluate: true}}", "browser.timeouts_ms.evaluate", "True"),
        ("browser: {timeouts_ms: {evaluate: yes}}", "browser.timeouts_ms.evaluate", "yes"),
        ("browser: {timeouts_ms: {evaluat: 5}}", "browser.timeouts_ms.evaluat", "ms.evaluate."),
        ("browser: {timeouts_ms: {1: 5}}", "browser.timeouts_ms.1", "browser.timeouts_ms."),
    ],
)
def test_load_config_error_identifies_the_invalid_field(
    text: str, field: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text)
    with pytest.raises(InvalidArgument) as caught:
        load_config(path)
    assert caught.value.data["field"] == field
    assert words in str(caught.value)


def test_load_config_error_identifies_an_invalid_environment_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TABWARDEN_BROWSER__DIALOG_POLICY", "maybe")
    with pytest.raises(InvalidArgument, match=r"browser\.dialog_policy"):
        load_config()


def test_load_config_error_contains_the_path_of_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="nowhere"):
        load_config(tmp_path / "nowhere.yaml")


def test_load_config_reports_that_a_file_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes(b"browser: {executable: \xff}")
    with pytest.raises(InvalidArgument, match="UTF-8"):
        load_config(path)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("TABWARDEN_BROWSR__HEADLESS", "TABWARDEN_BROWSER__HEADLESS"),
        ("TABWARDEN_BROWSER_DIALOG_POLICY", "TABWARDEN_BROWSER__DIALOG_POLICY"),
        ("tabwarden_brower__cdp_enabled", "TABWARDEN_BROWSER__CDP_ENABLED"),
        ("TABWARDEN_HEADLESS", "TABWARDEN_BROWSER__HEADLESS"),
        ("TABWARDEN_UPLOAD_DIR", "TABWARDEN_BROWSER__UPLOAD_DIR"),
    ],
)
def test_misspelled_environment_variable_error_suggests_the_nearest_name(
    name: str, nearest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "1")
    with pytest.raises(InvalidArgument, match=nearest) as caught:
        load_config()
    assert caught.value.data == {"field": name, "nearest": nearest}


def test_load_config_rejects_an_unknown_key_in_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TABWARDEN_BROWSER__HEADLES", "1")
    with pytest.raises(InvalidArgument, match=r"browser\.headless"):
        load_config()


def test_load_config_ignores_unrelated_environment_variables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TABWARDEN_CHROME", "/usr/bin/chromium")
    monkeypatch.setenv("TABWARDEN_BROWSERS_PATH", "/browsers")
    monkeypatch.setenv("TABWARDEN_ONLY_INSTALLED", "1")
    monkeypatch.setenv("SOMEBODY__ELSE", "1")
    monkeypatch.setenv("TABWARDEN_CONFIG", "")
    monkeypatch.setenv("TABWARDEN_FLEET_MARK", "1f")
    monkeypatch.setenv("TABWARDEN_FLEET_SECRETS", "/secrets")
    assert load_config().browser == BrowserConfig()


@pytest.mark.parametrize(("word", "value"), [("1", True), ("no", False), ("FALSE", False)])
def test_environment_variables_accept_words_and_digits_as_booleans(
    word: str, value: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWARDEN_BROWSER__HEADLESS", word)
    assert load_config().browser.headless is value


def test_empty_file_gives_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("# nothing yet\n")
    assert load_config(path).browser == BrowserConfig()


def test_load_config_rejects_unknown_overrides_and_returns_a_frozen_config() -> None:
    with pytest.raises(InvalidArgument, match=r"browser\.headless"):
        load_config(headles=True)
    with pytest.raises(ValueError, match="frozen"):
        load_config().browser.headless = False


def test_each_action_has_its_own_timeout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("browser: {default_timeout_ms: 9, timeouts_ms: {evaluate: 5000, goto: 60000}}")
    browser = load_config(path).browser
    assert browser.timeout_of("evaluate") == 5_000
    assert browser.timeout_of("click") == 9
    assert browser.timeout_of("goto") == browser.timeout_of("navigate") == 60_000
    unset = BrowserConfig()
    assert unset.timeout_of("click") == unset.timeout_of("press") == 6_000
    assert unset.timeout_of("type") == unset.timeout_of("snapshot") == 10_000
    assert unset.timeout_of("goto") == unset.timeout_of("download") == unset.timeout_of("wait")
    assert unset.timeout_of("wait") == 30_000
    monkeypatch.setenv("TABWARDEN_BROWSER__TIMEOUTS_MS__EVALUATE", "77")
    monkeypatch.setenv("TABWARDEN_BROWSER__TIMEOUTS_MS__CLICK", "88")
    browser = load_config(path).browser
    assert (browser.timeout_of("evaluate"), browser.timeout_of("click")) == (77, 88)
    assert browser.timeout_of("goto") == 60_000
    monkeypatch.setenv("TABWARDEN_BROWSER__TIMEOUTS_MS__CLIK", "88")
    with pytest.raises(InvalidArgument, match=r"timeouts_ms\.click"):
        load_config(path)


def test_server_section_is_read_from_file_environment_and_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = load_config().server
    assert (server.host, server.port, server.token) == ("127.0.0.1", 8414, None)
    path = tmp_path / "config.yaml"
    path.write_text("server: {port: 1000, token: 0123456789abcdef}")
    monkeypatch.setenv("TABWARDEN_SERVER__HOST", "localhost")
    server = load_config(path, server={"port": 2000, "host": None}).server
    assert (server.host, server.port) == ("localhost", 2000)
    assert server.token is not None
    assert "0123456789abcdef" not in repr(server)


@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        ("server: {prot: 1}", "server.prot", "server.port"),
        ("server: {port: 65536}", "server.port", "65536"),
        ("server: {host: ''}", "server.host", "at least 1"),
        ("server: {token: secret}", "server.token", "16 visible"),
        ("server: {token: 'secret with spaces in it'}", "server.token", "no spaces"),
        ("server: {token: {secret: secret}}", "server.token", "string"),
        (
            "browser: {credentials: {'https://a.b': {password: secret}}}",
            "browser.credentials.https://a.b.username",
            "required",
        ),
    ],
)
def test_load_config_error_identifies_an_invalid_server_key_and_shows_no_secret(
    text: str, field: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text)
    with pytest.raises(InvalidArgument) as caught:
        load_config(path)
    assert caught.value.data["field"] == field
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)
