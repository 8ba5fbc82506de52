"""Profile locks, scratch folders, and folders that must never be deleted."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.needs import needs

from tabwarden.endpoints.profiles.janitor import MAGIC, MARKER, is_scratch, remove_scratch
from tabwarden.endpoints.profiles.lock import (
    Holder,
    check_profile,
    default_profiles,
    living_holder,
    parse_lock,
)
from tabwarden.endpoints.profiles.scratch import Scratch, sweep_leftovers
from tabwarden.errors import InvalidArgument, LaunchFailed

pytestmark = needs("posix")


@pytest.mark.parametrize(
    ("target", "holder"),
    [
        ("vm-9443", Holder("vm", 9443)),
        ("my-host.example-12", Holder("my-host.example", 12)),
        ("vm", None),
        ("-1", None),
        ("vm-", None),
        ("vm-x", None),
        ("", None),
    ],
)
def test_parse_lock_reads_host_and_process_id(target: str, holder: Holder | None) -> None:
    assert parse_lock(target) == holder


def dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_profile_lock_of_a_dead_process_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "SingletonLock").symlink_to(f"{socket.gethostname()}-{dead_pid()}")
    assert living_holder(tmp_path) is None
    check_profile(tmp_path)


def test_profile_check_error_identifies_the_process_that_holds_the_lock(tmp_path: Path) -> None:
    (tmp_path / "SingletonLock").symlink_to(f"{socket.gethostname()}-{os.getpid()}")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "SingletonSocket"))
        server.listen()
        with pytest.raises(LaunchFailed, match=str(os.getpid())):
            check_profile(tmp_path)


def test_profile_lock_with_a_reused_process_id_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "SingletonLock").symlink_to(f"{socket.gethostname()}-{os.getpid()}")
    (tmp_path / "SingletonSocket").symlink_to(tmp_path / "gone")
    assert living_holder(tmp_path) is None


def test_profile_check_error_says_how_to_remove_another_hosts_lock(tmp_path: Path) -> None:
    (tmp_path / "SingletonLock").symlink_to("elsewhere-12")
    with pytest.raises(LaunchFailed) as caught:
        check_profile(tmp_path)
    assert "elsewhere" in caught.value.message
    assert str(tmp_path / "SingletonLock") in caught.value.hint


def test_profile_check_rejects_the_browsers_default_profile() -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_profile(default_profiles()[0])
    assert caught.value.data["field"] == "user_data_dir"


@pytest.mark.threat
def test_scratch_folder_is_private_and_can_be_removed() -> None:
    scratch = Scratch.create()
    assert scratch.folder.stat().st_mode & 0o777 == 0o700
    (scratch.profile / "file").write_text("x")
    (scratch.folder / "link").symlink_to("/etc")
    assert scratch.remove()
    assert not scratch.folder.exists()
    assert Path("/etc").is_dir()
    assert scratch.remove()


@pytest.mark.parametrize("marker", [None, b"", b"something else\n"])
@pytest.mark.threat
def test_cleanup_keeps_a_folder_without_the_marker_file(
    tmp_path: Path, marker: bytes | None
) -> None:
    folder = tmp_path / "tabwarden-precious"
    folder.mkdir()
    if marker is not None:
        (folder / MARKER).write_bytes(marker)
    assert not remove_scratch(str(folder), 0.1)
    assert folder.is_dir()


@pytest.mark.threat
def test_cleanup_keeps_a_marked_folder_with_another_name_or_a_symlink(tmp_path: Path) -> None:
    folder = tmp_path / "precious"
    folder.mkdir()
    (folder / MARKER).write_bytes(MAGIC)
    assert not is_scratch(str(folder))
    link = tmp_path / "tabwarden-link"
    link.symlink_to(folder)
    assert not is_scratch(str(link))


@pytest.mark.threat
def test_cleanup_keeps_another_users_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tabwarden-his"
    folder.mkdir()
    (folder / MARKER).write_bytes(MAGIC)
    assert is_scratch(str(folder))
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    assert not remove_scratch(str(folder), 0.1)
    empty = tmp_path / "tabwarden-his-own"
    empty.mkdir()
    os.utime(empty, (1, 1))
    assert sweep_leftovers(tmp_path) == []
    assert folder.is_dir()
    assert empty.is_dir()


@pytest.fixture
def short_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder whose path leaves room for Chrome's sockets."""
    with tempfile.TemporaryDirectory(prefix="tw-test-", dir="/tmp") as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield Path(folder).resolve()


def test_scratch_folder_is_created_in_tmp_if_the_temporary_path_is_too_long(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = Scratch.create()
    assert beside.folder.parent == short_folder
    assert beside.environment({"A": "1"})["TMPDIR"] == str(beside.folder / "tmp")
    beside.remove()
    monkeypatch.setattr(tempfile, "tempdir", str(short_folder / ("d" * 100)))
    elsewhere = Scratch.create()
    assert elsewhere.folder.parent == Path("/tmp").resolve()
    elsewhere.remove()


def test_crash_reports_are_written_to_the_given_folder() -> None:
    scratch = Scratch.create()
    try:
        assert scratch.environment({})["BREAKPAD_DUMP_LOCATION"] == str(scratch.folder / "crashes")
        mine = {"BREAKPAD_DUMP_LOCATION": "/mine"}
        assert scratch.environment(mine)["BREAKPAD_DUMP_LOCATION"] == "/mine"
    finally:
        scratch.remove()


def test_sweep_removes_only_orphaned_folders(short_folder: Path) -> None:
    in_use = Scratch.create()
    orphan = short_folder / "tabwarden-orphan"
    orphan.mkdir()
    (orphan / MARKER).write_bytes(MAGIC + b"1\n")
    foreign = short_folder / "tabwarden-notes"
    foreign.mkdir()
    (foreign / "note").write_text("mine")
    just_made = short_folder / "tabwarden-just"
    just_made.mkdir()
    never_begun = short_folder / "tabwarden-never"
    never_begun.mkdir()
    for folder in (foreign, never_begun):
        os.utime(folder, (1, 1))
    try:
        assert set(sweep_leftovers()) == {orphan, never_begun}
        assert in_use.folder.is_dir()
        assert foreign.is_dir()
        assert just_made.is_dir()
    finally:
        in_use.remove()
