"""The commands' daemon: it starts once, stays private, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from browser.surfaces.cli.shell import PROGRAM, Shell
from browser.surfaces.mcp.host import descendants, kill_browsers_of
from support.eventually import eventually
from support.needs import needs
from support.pace import in_time
from support.site import Site

from tabwarden.surfaces.daemon.link import UnixDoor
from tabwarden.surfaces.daemon.locks import FileLock

NOBODY = 65_534


def daemons(folder: Path) -> list[int]:
    """The daemons of a folder's sessions, from the process list."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if b"tabwarden.surfaces.daemon" in (entry / "cmdline").read_bytes() and str(folder) in (
                entry / "environ"
            ).read_text(errors="replace"):
                found.append(int(entry.name))
        except (OSError, ValueError):
            continue
    return found


def running(processes: list[int]) -> list[str]:
    """The command lines of the running ones."""
    left = []
    for pid in processes:
        try:
            words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            if words[0] not in "ZX":
                left.append(Path(f"/proc/{pid}/cmdline").read_text())
        except OSError:
            continue
    return left


@pytest.mark.long
def test_close_command_stops_the_daemon_and_leaves_no_processes_or_files(
    own_shell: Shell, site: Site
) -> None:
    own_shell.ok("open", site.page("/", "here"))
    processes = [own_shell.pid, *descendants(own_shell.pid)]
    assert len(processes) > 1
    said = own_shell.ok("close")
    assert "The browser is closed." in said
    eventually(lambda: not running(processes), why_not=lambda: running(processes))
    assert sorted(path.name for path in own_shell.runtime.iterdir()) == [
        "default.life", "default.starting",
    ]  # fmt: skip
    assert sorted(path.name for path in own_shell.folder.iterdir()) == ["run", "state"]
    assert own_shell.json("status") == {"session": "default", "running": False}
    assert own_shell.fail("close", status=1).startswith("error not_open: No browser is open")


@pytest.mark.long
def test_concurrent_commands_start_one_daemon_per_session(own_shell: Shell, site: Site) -> None:
    site.page("/a", "a")
    site.page("/b", "b")
    commands = [
        own_shell.begin("goto", f"{site.here}/{name}", "--session", name)
        for name in ("a", "b", "a", "b")
    ]
    for command in commands:
        out, err = command.communicate(timeout=90)
        assert command.returncode == 0, (out, err)
    assert len(daemons(own_shell.folder)) == 2
    assert [one["session"] for one in own_shell.json("sessions")] == ["a", "b"]
    own_shell.ok("script", "document.cookie = 'whose=a'", "--session", "a")
    assert own_shell.json("eval", "document.cookie", "--session", "b")["value"] == ""
    assert own_shell.json("eval", "document.cookie", "--session", "a")["value"] == "whose=a"


def test_command_reports_a_killed_daemon_once_and_starts_a_new_one(
    own_shell: Shell, site: Site
) -> None:
    own_shell.ok("open", site.page("/", "here"))
    before = own_shell.pid
    os.kill(before, signal.SIGKILL)
    own_shell.wait_for_end()
    done = own_shell.run("goto", f"{site.here}/")
    assert done.status == 0
    assert "ended unexpectedly. A new daemon was started" in done.err
    assert own_shell.pid != before
    assert own_shell.run("reload").err == ""
    os.kill(own_shell.pid, signal.SIGKILL)
    own_shell.wait_for_end()
    words = own_shell.fail("snapshot", status=3)
    assert "browser_gone" in words
    assert "ended unexpectedly" in words
    assert "not_open" in own_shell.fail("snapshot", status=1)


@pytest.mark.long
def test_command_fails_at_once_if_the_daemon_is_killed_during_the_call(
    own_shell: Shell, site: Site
) -> None:
    asked = threading.Event()
    site.pages["/begun"] = lambda request: (asked.set(), request.close_connection)  # type: ignore[assignment]
    own_shell.ok("open", site.page("/", "here"))
    command = own_shell.begin("eval", "fetch('/begun').catch(() => new Promise(() => {}))")
    assert asked.wait(60)
    os.kill(own_shell.pid, signal.SIGKILL)
    _, said = command.communicate(timeout=60)
    assert command.returncode == 3
    assert b"ended during the call" in said


@pytest.mark.long
def test_command_times_out_if_the_daemon_is_suspended(own_shell: Shell, site: Site) -> None:
    own_shell.ok("open", site.page("/", "here"))
    pid = own_shell.pid
    os.kill(pid, signal.SIGSTOP)
    with in_time(0.3, overrun_s=3.0):  # a program has to start
        words = own_shell.fail("snapshot", "--timeout-ms", "300", status=3)
    assert f"(process {pid}) is not responding" in words
    assert "tabwarden daemon stop --session default" in words
    (listed,) = own_shell.json("sessions")
    assert not listed["answers"]
    assert listed["pid"] == pid
    assert f"process {pid} " in own_shell.ok("sessions")
    own_shell.ok("daemon", "stop")
    own_shell.wait_for_end()
    assert not own_shell.socket.exists()


@pytest.mark.long
def test_command_times_out_if_the_daemon_is_suspended_during_the_call(
    own_shell: Shell, site: Site
) -> None:
    asked = threading.Event()
    site.pages["/begun"] = lambda request: asked.set()
    own_shell.ok("open", site.page("/", "here"))
    script = "fetch('/begun').catch(() => new Promise(() => {}))"
    command = own_shell.begin("eval", script, "--timeout-ms", "2000", "--json")
    assert asked.wait(60)
    os.kill(own_shell.pid, signal.SIGSTOP)
    out, _ = command.communicate(timeout=60)
    assert command.returncode == 4
    assert json.loads(out)["error"]["code"] == "budget_exceeded"


@pytest.mark.long
def test_idle_daemon_exits(own_shell: Shell) -> None:
    own_shell.ok("open", "--idle-minutes", "0.01")
    own_shell.wait_for_end()
    assert not own_shell.socket.exists()


def test_command_reports_why_the_daemons_browser_is_gone(own_shell: Shell) -> None:
    own_shell.ok("open")
    kill_browsers_of(own_shell.pid)
    while own_shell.json("status")["health"]["status"] != "gone":
        pass
    assert "error browser_gone: The browser is gone" in own_shell.fail("back", status=3)
    own_shell.wait_for_end()
    own_shell.ok("goto", "about:blank")


@pytest.mark.long
def test_sigterm_stops_the_daemon_and_closes_its_browser(own_shell: Shell) -> None:
    own_shell.ok("open")
    below = descendants(own_shell.pid)
    os.kill(own_shell.pid, signal.SIGTERM)
    own_shell.wait_for_end()
    assert not own_shell.socket.exists()
    eventually(lambda: not running(below), why_not=lambda: running(below))


@pytest.mark.long
def test_daemon_can_be_stopped_after_its_socket_was_deleted(own_shell: Shell) -> None:
    own_shell.ok("open")
    own_shell.socket.unlink()  # like a user who cleans up
    assert own_shell.ok("daemon", "stop") == "session default: stopped\n"
    own_shell.wait_for_end()
    assert own_shell.ok("daemon", "stop") == "no daemon was running\n"


@pytest.mark.threat
def test_daemon_rejects_launch_options_while_a_browser_is_open(own_shell: Shell) -> None:
    profile = own_shell.folder / "profile-s3cret"
    own_shell.ok("open", "--user-data-dir", "profile-s3cret")
    assert profile.is_dir()
    assert b"s3cret" not in Path(f"/proc/{own_shell.pid}/cmdline").read_bytes()
    # Applying the options that it already has is not an error.
    own_shell.ok("goto", "about:blank", "--user-data-dir", "profile-s3cret")
    words = own_shell.fail("goto", "about:blank", "--user-data-dir", "another", status=2)
    assert "--user-data-dir works only when a browser opens" in words
    for flag in ("--headed", "--no-sandbox", "--arg=--mute-audio"):
        words = own_shell.fail("open", "about:blank", flag, status=2)
        assert f"{flag.partition('=')[0]} works only when a browser opens" in words, "as typed"


@pytest.mark.long
def test_running_daemon_applies_a_changed_configuration(own_shell: Shell) -> None:
    path = own_shell.folder / "config.yaml"
    path.write_text("browser: {evaluate_enabled: true}")
    own_shell.ok("open", "--config", "config.yaml")
    assert own_shell.value("1 + 1") == 2
    path.write_text("browser: {evaluate_enabled: false}")
    assert "error disabled" in own_shell.fail("eval", "1 + 1", status=1)


def test_invalid_configuration_starts_no_daemon(own_shell: Shell) -> None:
    path = own_shell.folder / "config.yaml"
    path.write_text("daemon: {idle_minute: 3}")
    words = own_shell.fail("open", "--config", "config.yaml", status=2)
    assert "The closest key is daemon.idle_minutes" in words
    assert daemons(own_shell.folder) == []


@pytest.mark.long
def test_open_command_works_after_an_earlier_open_failed(own_shell: Shell) -> None:
    own_shell.env["TABWARDEN_BROWSER__EXECUTABLE"] = "/nowhere"
    assert "/nowhere" in own_shell.fail("open", status=3)
    own_shell.wait_for_end()
    assert not own_shell.socket.exists()
    del own_shell.env["TABWARDEN_BROWSER__EXECUTABLE"]
    assert own_shell.run("open").err == ""


@pytest.mark.long
def test_command_replaces_a_daemon_of_another_version(own_shell: Shell) -> None:
    own_shell.fail("status", "--session", "no/name", status=2)
    own_shell.ok("sessions")
    own_shell.runtime.mkdir(mode=0o700, exist_ok=True)
    life = FileLock(str(own_shell.runtime / "default.life"))
    assert life.take(time.monotonic())
    door = UnixDoor(str(own_shell.socket))
    listener, _ = door.listen()
    requests = []

    def be_old() -> None:
        while not requests:
            client, _ = listener.accept()
            with client, client.makefile("rwb") as lines:
                lines.readline()
                lines.write(b'{"build": "0.0.1+0", "pid": 1, "open": true, "options": {}}\n')
                lines.flush()
                # A client that only tries whether this daemon parses words closes the connection.
                requests.extend(json.loads(line) for line in [lines.readline()] if line)
        door.remove()
        listener.close()
        life.release()

    old = threading.Thread(target=be_old)
    old.start()
    done = own_shell.run("open")
    old.join()
    assert requests == [{"op": "stop"}]
    assert done.status == 0
    assert "had a different version (0.0.1+0" in done.err


# -- access ------------------------------------------------------------------------------------


@pytest.mark.threat
def test_daemon_files_are_private_to_its_user(shared_shell: Shell) -> None:
    modes = [
        stat.S_IMODE(path.stat().st_mode) for path in (shared_shell.runtime, shared_shell.socket)
    ]
    assert modes == [0o700, 0o600]
    (log,) = shared_shell.folder.glob("state/tabwarden/daemon/default.log")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


@needs("root")
@pytest.mark.threat
def test_daemon_rejects_another_user_despite_world_accessible_files(shared_shell: Shell) -> None:
    for path in (shared_shell.folder, shared_shell.runtime, shared_shell.socket):
        path.chmod(0o777)
    script = (
        "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]);"
        "print(s.recv(99))"
    )
    his = subprocess.run(
        ["/usr/bin/env", "python3", "-c", script, shared_shell.socket],
        user=NOBODY, capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    assert (his.stdout, his.returncode) == ("b''\n", 0), his
    shared_shell.ok("snapshot")  # and the next command makes the folder private again
    assert stat.S_IMODE(shared_shell.runtime.stat().st_mode) == 0o700


@needs("root")
@pytest.mark.threat
def test_daemon_rejects_another_users_runtime_folder(own_shell: Shell) -> None:
    own_shell.runtime.mkdir()
    os.chown(own_shell.runtime, NOBODY, NOBODY)
    assert "belongs to another user" in own_shell.fail("open", status=1)


# -- the cost of a command with a running daemon -----------------------------------------------


def imports_of(shell: Shell, *words: str, stdin: str = "") -> set[str]:
    """The modules that a command whose answer is 2 imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", PROGRAM, *words], input=stdin,
        capture_output=True, text=True, timeout=60, env=shell.env, check=True,
    )  # fmt: skip
    assert "value: 2" in done.stdout
    return set(re.findall(r"\| +([\w.]+)$", done.stderr, re.MULTILINE))


def test_warm_command_imports_almost_nothing(shared_shell: Shell) -> None:
    imported = imports_of(shared_shell, "eval", "1 + 1")
    assert imported.isdisjoint({"json", "re", "socket", "enum", "functools", "collections"})
    ours = {name for name in imported if name.startswith("tabwarden.")}
    surfaces = "cli cli.entry cli.pipe cli.warm command_table daemon daemon.paths".split()
    assert ours == {"tabwarden.surfaces", *(f"tabwarden.surfaces.{name}" for name in surfaces)}


def test_command_that_reads_stdin_imports_no_slow_modules(shared_shell: Shell) -> None:
    imported = imports_of(shared_shell, "eval", "-", stdin="1 + 1")
    assert "tabwarden.surfaces.daemon.call" in imported
    slow = {
        "asyncio",
        "click",
        "contextlib",
        "typing",
        "importlib.metadata",
        "logging",
        "msgspec",
        "pathlib",
    }
    assert imported.isdisjoint({*slow, "platformdirs", "pydantic", "rich", "subprocess"})
    ours = {name.split(".")[1] for name in imported if name.startswith("tabwarden.")}
    assert ours == {"errors", "hints", "surfaces"}


def test_daemon_survives_idle_and_malformed_clients(shared_shell: Shell) -> None:
    for said in (b"", b"nonsense\n", b'{"token": "x"}\n', b"[]\n", b'{"token": ""}\nnonsense\n'):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(shared_shell.socket))
            client.sendall(said)
            client.shutdown(socket.SHUT_WR)
            while client.recv(1000):
                pass
    assert shared_shell.value("1 + 1") == 2
    log = shared_shell.folder / "state/tabwarden/daemon/default.log"
    assert "Traceback" not in log.read_text()


# -- a daemon that is no longer needed ---------------------------------------------------------


@pytest.mark.long
def test_daemon_exits_cleanly_if_the_open_command_is_canceled(
    own_shell: Shell,
) -> None:
    opening = own_shell.begin("open")
    eventually((own_shell.runtime / "default.life").exists)
    opening.send_signal(signal.SIGINT)
    out, err = opening.communicate(timeout=60)
    assert (opening.returncode, out, err) == (130, b"", b"cancelled\n")
    own_shell.wait_for_end()
    assert not own_shell.socket.exists()
    assert "not_open" in own_shell.fail("snapshot", status=1)
    log = own_shell.folder / "state/tabwarden/daemon/default.log"
    assert "Traceback" not in log.read_text()
    own_shell.ok("open")


@pytest.mark.long
def test_daemon_whose_client_disappeared_exits_and_leaves_nothing_behind(own_shell: Shell) -> None:
    own_shell.ok("sessions")
    own_shell.runtime.mkdir(mode=0o700, exist_ok=True)
    heard, said = os.pipe()
    os.close(heard)
    daemon = subprocess.run(
        [sys.executable, "-P", "-m", "tabwarden.surfaces.daemon", "default"],
        input=b"{}", stdout=said, stderr=subprocess.PIPE,
        env=own_shell.env, timeout=60, check=False,
    )  # fmt: skip
    os.close(said)
    assert daemon.returncode == 0, daemon.stderr.decode()
    assert b"Traceback" not in daemon.stderr
    assert not own_shell.socket.exists()
