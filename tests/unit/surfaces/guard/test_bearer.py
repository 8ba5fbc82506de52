"""The HTTP API's token: created once, private to its user."""

from __future__ import annotations

import logging
import stat
from pathlib import Path

import pytest

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.guard.listening import kept_token


def test_server_creates_a_private_token_file_once(tmp_path: Path) -> None:
    path = tmp_path / "state/server.token"
    token = kept_token(path)
    assert len(token) >= 32
    assert kept_token(path) == token
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["server.token"]


def test_server_creates_a_separate_token_for_each_path(tmp_path: Path) -> None:
    assert kept_token(tmp_path / "a") != kept_token(tmp_path / "b")


@pytest.mark.parametrize(("text", "mode"), [("0123456789abcdef", 0o640), ("", 0o600)])
@pytest.mark.threat
def test_server_replaces_an_empty_or_world_readable_token(
    text: str, mode: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "server.token"
    path.write_text(text)
    path.chmod(mode)
    with caplog.at_level(logging.WARNING):
        token = kept_token(path)
    assert token != text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert token not in caplog.text


def test_server_reports_a_token_folder_it_cannot_create(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidArgument, match="TABWARDEN_SERVER__TOKEN") as caught:
        kept_token(tmp_path / "file/server.token")
    assert caught.value.data["field"] == "server.token"
