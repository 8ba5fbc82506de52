"""No configured secret appears in an error, a log line, a repr or a traceback."""

from __future__ import annotations

import io
import json
import logging
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabwarden.config import load_config
from tabwarden.config.effective import effective
from tabwarden.config.writing import set_value
from tabwarden.errors import InvalidArgument
from tabwarden.live_config import LiveConfig

SECRET = "hunter2Hunter2hunter2"

FORMS = [
    "server: {{token: {0}}}",
    "server:\n  token: {0}\n  port: 99999",
    "server:\n  token: {0}\n  token: {0}",
    "server: {{token: [{0}]}}",
    "server: {{token: '{0} é'}}",
    "server: {{token: {{a: {0}}}}}",
    "server: {0}",
    "server: [{0}]",
    "server: {{prot: {0}}}",
    "server:\n\ttoken: {0}",
    "server: {{token: {0}",
    "server: {{token: '{0}}}",
    'server: {{token: "\\q{0}"}}',
    "server: {{token: !{0} x}}",
    "server: {{token: !!int {0}}}",
    "server: {{token: !!timestamp {0}}}",
    'server: {{token: !!timestamp 0"{0}"}}',
    "server: {{token: *{0}}}",
    "server: {{token: &{0} x, token: &{0} y}}",
    "%{0} x\n---\nserver: {{}}",
    "server: {{}}\n---\ntoken: {0}",
    "browser: {{endpoint: [wss://h/?token={0}]}}",
    "browser: {{endpoint: 'wss://u:{0}@h/?token={0}', headless: maybe}}",
    "browser: {{credentials: {0}}}",
    "browser: {{credentials: {{'https://a.b': {0}}}}}",
    "browser: {{credentials: {{'https://a.b': {{password: {0}}}}}}}",
    "browser: {{credentials: {{'https://a.b': {{username: u, password: [{0}]}}}}}}",
    "browser: {{credentials: {{'https://a.b': {{username: u, pasword: {0}}}}}}}",
    "browser: {{credentials: {{'https://u:{0}@a.b': {{username: u, password: {0}}}}}}}",
    "{0}",
    "- {0}",
]


def said_of(error: BaseException) -> str:
    """All printable parts of an error."""
    data = json.dumps(error.to_dict()) if isinstance(error, InvalidArgument) else ""
    return f"{error} {error!r} {data} {''.join(traceback.format_exception(error))}"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.threat
def test_error_about_an_invalid_file_masks_the_secret(form: str, tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(form.format(SECRET))
    try:
        told = repr(load_config(file))
    except InvalidArgument as error:
        told = said_of(error)
    assert SECRET not in told
    assert "…" in told or "server" in told or "browser" in told or "YAML" in told


text = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=6)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(FORMS), text, text)
def test_configuration_error_masks_a_secret_inside_any_text(
    form: str, before: str, after: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "config.yaml"
        file.write_text(form.format(f"{before}{SECRET}{after}"))
        try:
            told = repr(load_config(file))
        except InvalidArgument as error:
            # Text in a name's place is reported as an unknown name, not as a value.
            told = said_of(error) if SECRET not in str(error.data["field"]) else ""
    assert SECRET not in told


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TABWARDEN_SERVER__TOKEN", f"{SECRET} with a space"),
        ("TABWARDEN_SERVER__TOKEN__A", SECRET),
        ("TABWARDEN_SERVER__TOKN", SECRET),
        ("TABWARDEN_SERVR__TOKEN", SECRET),
        ("TABWARDEN_SERVER", SECRET),
        ("TABWARDEN_SERVER", f'{{"token": "{SECRET}"'),
        ("TABWARDEN_BROWSER__CREDENTIALS", f"{{'https://a.b': {{password: {SECRET}"),
        ("TABWARDEN_BROWSER__CREDENTIALS", f"{{'https://a.b': {SECRET}}}"),
        ("TABWARDEN_BROWSER__TIMEOUTS_MS", SECRET),
    ],
)
def test_error_about_an_invalid_variable_masks_the_secret(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(InvalidArgument) as caught:
        load_config()
    assert SECRET not in said_of(caught.value)


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """Tabwarden's log output."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logger = logging.getLogger("tabwarden")
    logger.addHandler(handler)
    yield stream
    logger.removeHandler(handler)


GOOD = (
    f"server: {{token: {SECRET}}}\nbrowser:\n  endpoint: wss://u:{SECRET}@h:9/x?token={SECRET}\n"
    f"  credentials: {{'https://a.b': {{username: u, password: {SECRET}}}}}\n"
)


@pytest.mark.threat
def test_reprs_and_logs_of_a_valid_configuration_show_no_secret(
    tmp_path: Path, logged: io.StringIO
) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(GOOD)
    live = LiveConfig(lambda: load_config(file), file)
    told = f"{live.now!r} {live.now} {live!r} {effective(file)}"
    file.write_text(GOOD + f"  headles: {SECRET}")
    assert live.now.server.token is not None
    assert live.problem is not None
    told += logged.getvalue() + said_of(live.problem)
    assert "headles" in logged.getvalue()
    assert SECRET not in told


def test_error_about_a_rejected_change_shows_no_secret(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(GOOD)
    for keys, value in (
        (["server", "token"], f"{SECRET} "),
        (["server", "token"], {"a": SECRET}),
        (["browser", "credentials", "https://a.b"], SECRET),
        (["browser", "endpoint"], [SECRET]),
    ):
        with pytest.raises(InvalidArgument) as caught:
            set_value(file, keys, value)
        assert SECRET not in said_of(caught.value)
    assert file.read_text() == GOOD


@pytest.mark.parametrize("after", ["\\", "'", '"', "\\'"])
def test_error_about_an_unclosed_quote_masks_the_secret(after: str, tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(f"server: {{token: !!timestamp {SECRET}{after}}}")
    with pytest.raises(InvalidArgument) as caught:
        load_config(file)
    assert SECRET not in said_of(caught.value)
