"""The daemon's parts without a browser: its folder, port, locks and idle timeout."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support.pace import in_time

from tabwarden.actions.sessions.opening import session_of
from tabwarden.config import BrowserConfig
from tabwarden.errors import Denied, EndpointUnreachable, InvalidArgument
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.daemon.call import found
from tabwarden.surfaces.daemon.link import Door, Link, LoopbackDoor, UnixDoor
from tabwarden.surfaces.daemon.locks import FileLock, holder
from tabwarden.surfaces.daemon.paths import SessionPaths
from tabwarden.surfaces.daemon.server import Daemon, Idle


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="tw-") as folder:
        monkeypatch.setenv("TABWARDEN_RUNTIME_DIR", folder)
        yield Path(folder)


# -- address file --------------------------------------------------------------------------------


@pytest.fixture(params=[UnixDoor, LoopbackDoor])
def door(request: pytest.FixtureRequest, runtime: Path) -> Iterator[Door]:
    """The address of a running daemon, in its own thread."""
    door: Door = request.param(str(runtime / "door"))
    ready = threading.Event()
    end: list[Callable[[], object]] = []

    async def serve() -> None:
        live = LiveConfig.fixed(BrowserConfig())
        daemon = Daemon("s", session_of(live), live, door, hello={"build": "b"}, idle_minutes=0)
        loop = asyncio.get_running_loop()
        end.append(lambda: loop.call_soon_threadsafe(daemon.end, "the test is over"))
        await daemon.serve(ready.set)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(60)
    yield door
    with suppress(RuntimeError):  # it exited by itself: no browser was open after a call
        end[0]()
    thread.join()
    assert not os.path.exists(door.path)


def test_daemon_greets_a_client_and_answers_its_call(door: Door) -> None:
    link = Link(door, time.monotonic() + 30)
    assert link.hello == {"build": "b", "open": False}
    link.send({"op": "call", "tool": "browser_back", "arguments": {"timeout_ms": 5000}})
    assert link.receive(time.monotonic() + 30) == {"budget_ms": 5000.0}
    told = link.receive(time.monotonic() + 30)
    assert told is not None
    assert told["answer"]["data"]["error"]["code"] == "not_open"
    link.close()


def test_daemon_returns_an_error_for_an_internal_failure(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("batch")

    monkeypatch.setattr("tabwarden.surfaces.daemon.server.prepare", fail)
    link = Link(door, time.monotonic() + 30)
    link.send({"op": "call", "tool": "browser_back", "arguments": {}})
    message = link.receive(time.monotonic() + 30)
    assert message is not None
    error = message["answer"]["data"]["error"]
    assert error["code"] == "error"
    assert "KeyError: 'batch'" in error["message"]
    link.close()


def test_daemon_closes_a_connection_with_an_invalid_token(door: Door) -> None:
    class Thief(type(door)):  # type: ignore[misc]
        def knock(self, timeout_s: float) -> object:
            return super().knock(timeout_s)[0], "guessed"

    with pytest.raises(ConnectionError):
        Link(Thief(door.path), time.monotonic() + 30)


@pytest.mark.threat
def test_client_sends_no_call_to_another_program_on_a_killed_daemons_port(runtime: Path) -> None:
    killed = LoopbackDoor(str(runtime / "door"))
    listener, _ = killed.listen()
    got: list[bytes] = []

    def pose() -> None:
        client, _ = listener.accept()
        with client:
            got.append(client.recv(4096))
            client.sendall(b'{"build": "b", "open": true, "token": ""}\n')
            while more := client.recv(4096):
                got.append(more)

    thread = threading.Thread(target=pose)
    thread.start()
    with listener, pytest.raises(ConnectionError):
        Link(killed, time.monotonic() + 30).send({"op": "call", "tool": "browser_fill"})
    thread.join()
    assert b"browser_fill" not in b"".join(got)


def test_daemon_port_file_is_private_to_its_user(door: Door) -> None:
    assert os.stat(door.path).st_mode & 0o777 == 0o600


# -- the folder ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "a/b", "x" * 65, "näme", "a b"])
def test_session_paths_rejects_an_invalid_name(runtime: Path, name: str) -> None:
    with pytest.raises(InvalidArgument) as told:
        SessionPaths(name)
    assert told.value.data["field"] == "session"


def test_session_paths_restricts_a_world_accessible_runtime_folder(runtime: Path) -> None:
    runtime.chmod(0o777)
    SessionPaths("a")
    assert runtime.stat().st_mode & 0o777 == 0o700


@pytest.mark.threat
def test_session_paths_rejects_a_symlink_as_runtime_folder(
    runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (runtime / "real").mkdir()
    (runtime / "link").symlink_to(runtime / "real")
    monkeypatch.setenv("TABWARDEN_RUNTIME_DIR", str(runtime / "link"))
    with pytest.raises(Denied):
        SessionPaths("a")


def test_session_paths_rejects_a_path_too_long_for_a_socket(
    runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWARDEN_RUNTIME_DIR", str(runtime / ("x" * 100)))
    with pytest.raises(InvalidArgument, match="too long"):
        SessionPaths("a")


# -- running daemons -----------------------------------------------------------------------------


def test_daemon_client_finds_no_daemon_when_none_is_listening(runtime: Path) -> None:
    place = SessionPaths("a")
    assert found(place) is None
    listener, _ = UnixDoor(place.door).listen()
    listener.close()  # as after a crash
    assert found(place) is None


def test_daemon_client_reports_an_unresponsive_daemon_in_time(runtime: Path) -> None:
    place = SessionPaths("a")
    listener, _ = UnixDoor(place.door).listen()
    with listener:
        listener.listen(0)
        waiting = []
        with in_time(3 * 0.1):
            for _ in range(3):
                with pytest.raises(EndpointUnreachable, match="is not responding"):
                    waiting.append(found(place, time.monotonic() + 0.1))


def test_dead_process_releases_its_file_lock(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    script = (
        "import os, sys, time; from tabwarden.surfaces.daemon.locks import FileLock;"
        "lock = FileLock(sys.argv[1]); lock.take(0); lock.note(os.getpid());"
        "print('has it', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", script, path], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert holder(path) == other.pid
        assert not FileLock(path).take(time.monotonic())
        other.kill()
        other.wait()
        assert FileLock(path).take(time.monotonic() + 30)
    assert holder(str(tmp_path / "none")) is None


# -- idle timeout --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("longest_s", "is_open", "ends"),
    [(0.01, True, True), (0.01, False, True), (0.0, True, False), (60.0, False, False)],
)
def test_daemon_exits_after_its_idle_timeout_and_never_during_a_call(
    longest_s: float, is_open: bool, ends: bool
) -> None:
    async def rest() -> None:
        ended = asyncio.Event()
        idle = Idle(longest_s, lambda: is_open, ended.set)
        with idle.call(), pytest.raises(TimeoutError):
            await asyncio.wait_for(ended.wait(), 0.1)
        if ends:
            await asyncio.wait_for(ended.wait(), 60)
        else:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(ended.wait(), 0.1)

    asyncio.run(rest())
