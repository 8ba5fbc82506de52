"""The configuration's JSON Schema accepts exactly what loading accepts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tabwarden.config import Config, load_config
from tabwarden.config.document import parse_yaml
from tabwarden.config.schema import accepted, config_schema, names_at, node_at
from tabwarden.errors import InvalidArgument

VALIDATOR = jsonschema.Draft202012Validator(config_schema())

RIGHT = [
    "{}",
    "browser: {headless: false, dialog_policy: auto_accept, executable: /usr/bin/chromium}",
    "browser: {timeouts_ms: {evaluate: 5000, goto: 1}, hang_patience: 20}",
    "browser: {endpoint: null, permissions: {camera: granted, 'https://a.b': {camera: denied}}}",
    "browser: {credentials: {'https://a.b:1': {username: u, password: p}}}",
    "server: {host: '::1', port: 0, token: 0123456789abcdef}",
]
WRONG = [
    "browsr: {}",
    "browser: {headles: true}",
    "browser: {dialog_policy: maybe}",
    "browser: {default_timeout_ms: 0}",
    "browser: {timeouts_ms: {evaluat: 1}}",
    "browser: {timeouts_ms: {evaluate: 0}}",
    "browser: {hang_patience: 21}",
    "browser: {permissions: {geolocation: maybe}}",
    "browser: {credentials: {'a.b': {username: u, password: p}}}",
    "browser: {credentials: {'https://a.b': {username: u}}}",
    "server: {port: 65536}",
    "server: {token: short}",
    "server: {token: 'with a space in between'}",
]


@pytest.mark.parametrize("text", RIGHT + WRONG)
def test_json_schema_accepts_exactly_what_loading_accepts(text: str, tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(text)
    if text in RIGHT:
        load_config(file)
        VALIDATOR.validate(parse_yaml(text))
    else:
        with pytest.raises(InvalidArgument):
            load_config(file)
        assert not VALIDATOR.is_valid(parse_yaml(text))


def test_json_schema_is_valid_and_describes_every_key() -> None:
    jsonschema.Draft202012Validator.check_schema(config_schema())
    defaults: dict[str, Any] = Config().model_dump(mode="json")
    for section in names_at(()):
        for key in names_at((section,)):
            node = node_at((section, key))
            assert node is not None
            assert len(node["description"]) > 10
            assert node["default"] == defaults[section][key]
            assert accepted(node)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("browser.headless", "true or false"),
        ("browser.dialog_bridge", "auto, debugger, xhr or native"),
        ("browser.default_timeout_ms", "a number, more than 0, at most 86,400,000"),
        ("browser.executable", "a path or null"),
        ("server.port", "a whole number, at least 0, at most 65,535"),
        ("server.token", "text (never shown) or null"),
        ("browser.timeouts_ms", "a mapping"),
    ],
)
def test_config_schema_describes_a_keys_accepted_values_in_text(key: str, words: str) -> None:
    assert accepted(node_at(key.split(".")) or {}) == words
