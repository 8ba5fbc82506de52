"""The token file: private, always complete, and rejected if malformed."""

from __future__ import annotations

import logging
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from starlette.datastructures import Headers
from support.needs import needs

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.guard.principal import OPERATOR
from tabwarden.surfaces.guard.token_file import change_tokens, fresh_token, read_tokens
from tabwarden.surfaces.guard.tokens import Grant, Tokens

NOW = datetime.now(UTC)
OWN = "the server's own token"


def shown(token: str) -> Headers:
    return Headers({"Authorization": f"Bearer {token}"})


def created(path: Path, name: str, secret: str) -> None:
    change_tokens(path, lambda tokens: tokens.create(name, secret, NOW))


def granted(tokens: Tokens, secret: str) -> Grant:
    grant = tokens.grant(shown(secret))
    assert grant is not None
    return grant


def test_missing_token_file_is_read_as_an_empty_token_list(tmp_path: Path) -> None:
    assert read_tokens(tmp_path / "tokens.json").tokens == ()


@pytest.mark.threat
def test_only_its_user_can_read_the_token_file(tmp_path: Path) -> None:
    path = tmp_path / "state/tokens.json"
    created(path, "ci", "one")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert {one.name for one in path.parent.iterdir()} == {"tokens.json", "tokens.json.lock"}
    assert "one" not in path.read_text()


def test_failed_change_leaves_the_token_file_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    created(path, "ci", "one")
    before = path.read_bytes()
    with pytest.raises(InvalidArgument):
        created(path, "ci", "two")
    assert path.read_bytes() == before


def test_concurrent_changes_of_the_token_file_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: created(path, f"t{n}", str(n)), range(24)))
    assert {one.name for one in read_tokens(path).tokens} == {f"t{n}" for n in range(24)}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"tokens": [{}]}', '{"version": 1, "tokens": [], "more": 1}', "\xff"]
)
def test_malformed_token_file_raises_an_error_and_stays_unchanged(
    text: str, tmp_path: Path
) -> None:
    path = tmp_path / "tokens.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InvalidArgument, match="tokens") as caught:
        read_tokens(path)
    assert caught.value.data["field"] == "server.tokens_file"
    with pytest.raises(InvalidArgument):
        created(path, "ci", "one")
    assert path.read_bytes() == text.encode("latin-1")


@needs("posix")
@pytest.mark.parametrize("mode", [0o620, 0o602])
@pytest.mark.threat
def test_server_ignores_a_token_file_that_other_users_can_write(
    mode: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "tokens.json"
    created(path, "ci", "one")
    tokens = Tokens(OWN, path)
    grant = granted(tokens, "one")
    path.chmod(mode)
    with caplog.at_level(logging.ERROR):
        assert tokens.grant(shown("one")) is None
        assert not tokens.is_valid(grant)
        assert tokens.grant(shown("one")) is None
    assert granted(tokens, OWN).principal == OPERATOR
    assert len(caplog.records) == 1
    path.chmod(0o600)
    assert granted(tokens, "one").principal.name == "ci"


@pytest.mark.threat
def test_server_applies_each_token_file_change_at_once(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    tokens = Tokens(OWN, path)
    assert tokens.grant(shown("one")) is None
    for number in range(50):  # faster than the file system's timestamp resolution
        name = f"t{number}"
        created(path, name, name)
        grant = granted(tokens, name)
        assert tokens.is_valid(grant)
        change_tokens(path, lambda known, name=name: known.revoke(name))
        assert tokens.grant(shown(name)) is None
        assert not tokens.is_valid(grant)


def test_rotating_a_token_again_invalidates_all_its_old_secrets(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    created(path, "ci", "one")
    tokens = Tokens(OWN, path)
    first = granted(tokens, "one")
    later = datetime.now(UTC) + timedelta(hours=1)
    change_tokens(path, lambda known: known.rotate("ci", "two", later))
    assert tokens.is_valid(first)
    second = granted(tokens, "two")
    change_tokens(path, lambda known: known.rotate("ci", "three", datetime.now(UTC)))
    assert [tokens.is_valid(one) for one in (first, second)] == [False, False]


def test_deleting_the_token_file_invalidates_its_tokens(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    created(path, "ci", "one")
    tokens = Tokens(OWN, path)
    grant = granted(tokens, "one")
    path.unlink()
    assert not tokens.is_valid(grant)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "one"},
        {"Authorization": "Basic one"},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer onetwo"},
        {"Authorization": "Bearer \xff"},
    ],
)
def test_malformed_authorization_header_grants_no_access(
    headers: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "tokens.json"
    created(path, "ci", "one")
    assert Tokens(OWN, path).grant(Headers(headers)) is None


def test_two_authorization_headers_grant_no_access(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    created(path, "ci", "one")
    both = Headers(raw=[(b"authorization", b"Bearer one"), (b"authorization", b"Bearer one")])
    assert Tokens(OWN, path).grant(both) is None


def test_fresh_tokens_differ_and_fit_into_a_header() -> None:
    made = {fresh_token() for _ in range(100)}
    assert len(made) == 100
    assert all(one.isascii() and one.startswith("tabwarden_") and len(one) > 50 for one in made)


def test_token_file_change_waits_for_the_lock_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    lock = path.with_name("tokens.json.lock")
    holder = (
        "import sys, os\n"
        "from tabwarden.files.locks import try_lock\n"
        f"fd = os.open({str(lock)!r}, os.O_RDWR | os.O_CREAT)\n"
        "assert try_lock(fd)\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "held\n"
        with ThreadPoolExecutor(1) as pool:
            change = pool.submit(created, path, "ci", "one")
            assert not os.path.exists(path)
            program.communicate("")
            change.result()
    assert [one.name for one in read_tokens(path).tokens] == ["ci"]
