"""File, environment, arguments: later sources override; errors identify the source."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabwarden.config import load_config
from tabwarden.config.schema import names_at, node_at
from tabwarden.errors import InvalidArgument

KEYS = [(section, key) for section in names_at(()) for key in names_at((section,))]
SPECIAL = {
    "allowed_hosts": [["x.test"], ["y.test"], ["z.test"]],
    "allow": [["read"], ["act"], ["files"]],
    "credentials": [{"https://a.b": {"username": "u", "password": word}} for word in "xyz"],
    "permissions": [{"camera": word} for word in ("granted", "denied", "prompt")],
    "timeouts_ms": [{"click": number} for number in (1, 2, 3)],
    "token": [f"{word}0123456789abcdef" for word in "xyz"],
    "hang_patience": [1, 2, 3],
    "control": [{"idle_s": seconds} for seconds in (1, 2, 3)],
    "recorder": [{"minutes": minutes} for minutes in (1, 2, 3)],
    "browser_use_enabled": [True, False, True],
    "args": [["--x"], ["--y"], ["--z"]],
    "extensions": [["/x"], ["/y"], ["/z"]],
    "locale": ["de", "fr", "ja"],
    "proxy": [{"server": f"http://{word}:1"} for word in "xyz"],
    "timezone": ["Asia/Tokyo", "Europe/Berlin", "UTC"],
    "window_size": ["800x600", "900x600", "1000x600"],
    "viewport": ["800x600", "900x600", "1000x600"],
    "isolate": [True, False, True],
    "sandbox": [True, False, True],
    "listen": ["10.0.0.1", "10.0.0.2", "10.0.0.3"],
    "node": ["n1", "n2", "n3"],
    "max_tasks_per_node": [1, 2, 3],
    "checkpoint_s": [1, 2, 3],
    "lease_ms": [2_000, 3_000, 4_000],
    "profile": ["x", "y", "z"],
    "restore": ["x", "y", "z"],
    "external_schemes": [[word] for word in ("x", "y", "z")],
    "secrets": [[word] for word in ("x", "y", "z")],
    "store": ["sqlite:/x", "sqlite:/y", "redis://z"],
}


def three_values(keys: tuple[str, str]) -> list[Any]:
    """One for each source."""
    node = node_at(keys)
    assert node is not None
    if keys[1] in SPECIAL:
        return SPECIAL[keys[1]]
    if node.get("type") == "boolean":
        return [True, False, True] if node["default"] is False else [False, True, False]
    node = next((one for one in node.get("anyOf", ()) if "enum" in one), node)
    if "enum" in node:
        return [node["enum"][0], node["enum"][1], node["enum"][0]]
    if node.get("type") in {"number", "integer"}:
        return [11, 12, 13]
    if node.get("type") == "array":
        return [["https://x"], ["https://y"], ["https://z"]]
    return ["/x", "/y", "/z"]


def held(path: Path, keys: tuple[str, str], **arguments: Any) -> Any:
    config = load_config(path, **arguments)
    value = getattr(getattr(config, keys[0]), keys[1])
    return value.get_secret_value() if keys[1] in {"store", "token"} else value


def as_read(keys: tuple[str, str], value: Any, tmp_path: Path) -> Any:
    path = tmp_path / "expected.yaml"
    path.write_text(json.dumps({keys[0]: {keys[1]: value}}))
    return held(path, keys)


@pytest.mark.parametrize("keys", KEYS, ids=".".join)
def test_arguments_override_environment_and_file_for_every_key(
    keys: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    section, key = keys
    in_file, in_environment, argument = three_values(keys)
    path = tmp_path / "config.yaml"
    path.write_text(json.dumps({section: {key: in_file}}))
    expected = [as_read(keys, value, tmp_path) for value in (in_file, in_environment, argument)]
    assert held(path, keys) == expected[0]
    said = in_environment if isinstance(in_environment, str) else json.dumps(in_environment)
    monkeypatch.setenv(f"TABWARDEN_{section}__{key}".upper(), said)
    assert held(path, keys) == expected[1]
    if section not in {
        "browser",
        "fleet",
        "server",
    }:  # those that ``load_config`` has arguments for
        return
    given: dict[str, Any] = {key: argument} if section == "browser" else {section: {key: argument}}
    assert held(path, keys, **given) == expected[2]


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "config.yaml"
    path.write_text("browser:\n  timeouts_ms: {evaluate: 1, click: 2}\n  endpoint: http://a:1\n")
    return path


@pytest.mark.parametrize(
    ("variable", "value", "key", "held"),
    [
        ("TABWARDEN_BROWSER__TIMEOUTS_MS__EVALUATE", "9", "timeouts_ms",
         {"evaluate": 9, "click": 2}),
        ("TABWARDEN_BROWSER__TIMEOUTS_MS", "{click: 9}", "timeouts_ms",
         {"evaluate": 1, "click": 9}),
        ("TABWARDEN_BROWSER", "{timeouts_ms: {click: 9}}", "timeouts_ms",
         {"evaluate": 1, "click": 9}),
        ("tabwarden_browser__timeouts_ms__click", "9", "timeouts_ms", {"evaluate": 1, "click": 9}),
        ("TABWARDEN_BROWSER__ENDPOINT", "", "endpoint", "http://a:1"),
        ("TABWARDEN_BROWSER__ENDPOINT", "null", "endpoint", None),
        ("TABWARDEN_BROWSER__ENDPOINT", "9222", "endpoint", "9222"),
    ],
)  # fmt: skip
def test_environment_variables_merge_into_the_values_of_the_file(
    variable: str, value: str, key: str, held: Any, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    assert getattr(load_config(file).browser, key) == held


@pytest.mark.parametrize(
    ("content", "place", "words"),
    [
        ("browser:\n\theadless: true", "line 2, column 1", "does not allow tabs"),
        ("browser: {}\nbrowser: {}", "line 2, column 1", "repeated"),
        ("browser:\n  headless: true\n  headless: true", "line 3, column 3", "repeated"),
        ("browser:\n  headless: [", "line 2", "node content"),
        ("browser:\n  a: b: c", "line 2, column 7", "mapping"),
        ("browser:\n  headless: maybe", "config.yaml, line 2", "true or false"),
        ("browser:\n\n  headles: true", "config.yaml, line 3", "browser.headless"),
        ("browser:\n  credentials:\n    https://a.b:\n      usrname: u\n      password: p",
         "config.yaml, line 4", "credentials.https://a.b.username"),
        ("browser: {timeouts_ms: {clik: 1}}", "line 1", "browser.timeouts_ms.click."),
        ("browser: {permissions: {camera: maybe}}", "line 1", "granted, denied or prompt"),
        ("x: " + "[" * 1000, "", "nested too deeply"),
        ("browser: {}\n# " + "x" * 1_000_000, "", "1,000,000"),
        (b"\xff\xfeb\x00", "", "UTF-16"),
        (b"a: 1\nb: \xff", "line 2", "UTF-8"),
        ("a: \x07", "", "ReaderError"),
    ],
)  # fmt: skip
def test_load_config_error_contains_the_line_in_the_file(
    content: str | bytes, place: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InvalidArgument) as caught:
        load_config(path)
    assert place in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xef\xbb\xbf", b"---\n", b"browser:\nserver:\n", b"\xef\xbb\xbfbrowser: {}", b"~"],
)
def test_configuration_file_without_values_gives_the_defaults(
    content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes(content)
    assert load_config(path) == load_config()


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("TABWARDEN_BROWSER__HEADLESS", "maybe", "variable TABWARDEN_BROWSER__HEADLESS"),
        ("TABWARDEN_BROWSER__TIMEOUTS_MS", "{click", "TIMEOUTS_MS is not valid YAML"),
        ("TABWARDEN_BROWSER__TIMEOUTS_MS", "5", "browser.timeouts_ms"),
        ("TABWARDEN_BROWSER__TIMEOUTS_MS__CLIK", "5", "browser.timeouts_ms.click"),
        ("TABWARDEN_BROWSER__HEADLESS__X", "5", "browser.headless"),
    ],
)
def test_load_config_error_identifies_the_invalid_variable(
    variable: str, value: str, words: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(InvalidArgument) as caught:
        load_config(file)
    assert words in str(caught.value)


def test_load_config_error_identifies_the_invalid_argument(file: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"browser\.headless: .*Correct the argument"):
        load_config(file, headless="maybe")


def test_load_config_expands_tilde_in_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "c.yaml").write_text("browser: {user_data_dir: ~/profile}")
    assert load_config("~/c.yaml").browser.user_data_dir == tmp_path / "profile"
