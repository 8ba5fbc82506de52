"""Any file, variable or edit gives a configuration or an error that identifies the problem."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fuzzing import searched
from support.hostile_text import HOSTILE

from tabwarden.actions.result_text import error_words
from tabwarden.config import Config, load_config
from tabwarden.config.document import parse_document
from tabwarden.config.editing import text_with, text_without
from tabwarden.config.schema import names_at
from tabwarden.errors import InvalidArgument

FILE = Path("config.yaml")
KEYS = [(section, key) for section in names_at(()) for key in names_at((section,))]
SECRET = "s3cr3t-of-the-file-0123456789"
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just(10**400),
    st.floats(),
    HOSTILE,
    st.sampled_from(["auto", "0", "-1", "1e999", ".nan", "2001-12-14", "0o14", "!!binary x", "~"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(HOSTILE | st.sampled_from(["click", "evaluate", "a"]), inner, max_size=3)
    ),
    max_leaves=5,
)
NAMES = st.sampled_from([key for _, key in KEYS]) | HOSTILE
SECTIONS = st.sampled_from([*names_at(()), "browsr"])
YAML = st.one_of(
    st.dictionaries(SECTIONS, st.dictionaries(NAMES, VALUES, max_size=3) | VALUES, max_size=3).map(
        lambda held: json.dumps(held, indent=1).encode()
    ),
    st.lists(
        st.sampled_from(
            "browser:|server:|  headless: true|\t|&a|*a|<<: *a|? x|- |{|}|[|]|>|'|\"|# c|---|...|:"
            "|%YAML 9.9|!!python/object:os.system|&a [*a, *a]|  timeouts_ms: {click: 1}|\ufeff"
            f"|  token: {SECRET}".split("|")
        )
        | HOSTILE.filter(lambda text: "\ud800" not in text),
        max_size=8,
    ).map(lambda lines: "\n".join(lines).encode()),
    st.binary(max_size=60),
    st.sampled_from([b"{" * 600, b"[" * 600, b"a: " * 600, b"- " * 600]),
)  # fmt: skip


def check_told(error: InvalidArgument, named: str = "") -> None:
    """The error identifies a field, masks secrets, and can be displayed."""
    assert error.data["field"]
    words = error_words(error)
    words.encode()
    assert SECRET not in words
    assert named in words.lower()


@searched(60)
@given(raw=YAML)
def test_load_config_reads_or_rejects_any_file(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes(raw)
    try:
        config = load_config(path)
    except InvalidArgument as error:
        check_told(error)
        return
    assert isinstance(config, Config)
    assert SECRET not in repr(config)


@searched(60)
@given(
    keys=st.sampled_from(KEYS),
    value=st.one_of(HOSTILE, VALUES.map(json.dumps), st.just("[" * 900)),
)
def test_load_config_accepts_or_rejects_any_environment_variable(
    keys: tuple[str, str], value: str, empty: Path
) -> None:
    text = value.replace("\0", "")
    name = f"TABWARDEN_{'__'.join(keys)}".upper()
    with patch.dict(os.environ, {name: text.encode("utf-8", "replace").decode()}):
        try:
            load_config(empty)
        except InvalidArgument as error:
            check_told(error, keys[1])


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("config") / "config.yaml"
    path.write_text("")
    return path


@searched(60)
@given(YAML, st.sampled_from(KEYS), VALUES)
def test_config_edit_changes_only_its_key_or_is_rejected(
    raw: bytes, keys: tuple[str, str], value: Any
) -> None:
    try:
        text = raw.decode()
        before = parse_document(text, FILE).values
    except (UnicodeDecodeError, InvalidArgument):
        return
    try:
        after = text_with(text, keys, value, FILE)
    except InvalidArgument as error:
        check_told(error)
        return
    said = parse_document(after, FILE).values
    assert said[keys[0]][keys[1]] == value
    others = {key: one for key, one in said.items() if key != keys[0]}
    assert repr(others) == repr({key: one for key, one in before.items() if key != keys[0]})
    try:
        again = parse_document(text_without(after, keys, FILE), FILE).values
    except InvalidArgument as error:
        check_told(error)
        return
    assert keys[1] not in (again.get(keys[0]) or {})
