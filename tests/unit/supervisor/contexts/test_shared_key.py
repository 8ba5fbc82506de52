"""The bridge key: one for all programs of a user, and private to that user."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.machine_kit import hash_in

from tabwarden.supervisor.contexts import shared_key
from tabwarden.supervisor.core.handlers.bridge import is_bridge
from tabwarden.supervisor.core.state.policy import BridgeMode
from tabwarden.supervisor.runtime import fresh_bridge


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "state"
    monkeypatch.setattr(shared_key, "user_state_path", lambda _: folder)
    yield folder
    shared_key.family_secret.cache_clear()


def anew() -> bytes:
    """Read it like another program."""
    shared_key.family_secret.cache_clear()
    return shared_key.family_secret()


def test_programs_of_a_user_share_one_bridge_key_that_others_cannot_read(state: Path) -> None:
    assert anew() == anew()
    (kept,) = state.iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    kept.chmod(0o644)
    known = kept.read_bytes()
    assert anew() != known


def test_programs_without_a_writable_folder_use_separate_bridge_keys(
    state: Path, caplog: pytest.LogCaptureFixture
) -> None:
    state.write_text("a file, where the folder should be")
    mine = anew()
    assert mine == shared_key.family_secret() != anew()
    assert "will not be detected" in caplog.text
    assert mine.decode() not in caplog.text


def test_bridge_script_does_not_contain_the_bridge_key(state: Path) -> None:
    secret = anew()
    one, other = (fresh_bridge(BridgeMode.AUTO, secret) for _ in range(2))
    assert one is not None
    assert other is not None
    assert secret.decode() not in one.source
    assert len({one.name, other.name, one.key, other.key, one.url, other.url}) == 6
    assert is_bridge(one, other.name, hash_in(other), "T1")
    assert not is_bridge(one, other.name, hash_in(one), "T1")
