"""Machines made of namespaces: each has its own processes, network and /tmp, and may lose power.

Everything runs ``enclosed``, in one more set of namespaces: no process is left when the run ends,
however it ends, and nothing outside is touched.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_TESTS = Path(__file__).parents[2]
BRIDGE, NETWORK = "tw0", "10.77.0"
OUTSIDE = f"{NETWORK}.254"
"""The address of the run itself, which no fault disconnects."""
_ENCLOSED = "TABWARDEN_CHAOS_ENCLOSED"
_NEW = ("--pid", "--net", "--mount", "--fork", "--mount-proc", "--kill-child")

_FIRST = """
import os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
os.write(1, b"ready\\n")
while True:
    signal.sigwait({signal.SIGCHLD})
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
"""
"""A machine's first process: it reaps orphaned daemons."""


class Process(NamedTuple):
    """A running process, by its process ID in the run's namespace."""

    pid: int
    parent: int
    command: str


def enclosing(arguments: list[str]) -> list[str]:
    """Return the command that runs ``arguments`` in namespaces of their own."""
    as_root = () if os.geteuid() == 0 else ("--user", "--map-root-user")
    return ["unshare", *as_root, *_NEW, "env", f"{_ENCLOSED}=1", *arguments]


def is_enclosed() -> bool:
    return _ENCLOSED in os.environ


def why_not() -> str:
    """Return why this system cannot create machines, or ""."""
    for program in ("unshare", "nsenter", "ip", "iptables", "tc"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    if Path(sys.executable).is_relative_to("/tmp"):
        return "Python is in /tmp, and each machine has a /tmp of its own"
    attempt = ["sh", "-c", "ip link add t0 type bridge && iptables -A INPUT -s 10.0.0.1 -j DROP"]
    tried = subprocess.run(enclosing(attempt), capture_output=True, text=True, check=False)
    return tried.stderr.strip() if tried.returncode else ""


def make_network() -> None:
    """Create the network that connects the machines."""
    _do("ip", "link", "set", "lo", "up")
    _do("ip", "link", "add", BRIDGE, "type", "bridge")
    _do("ip", "addr", "add", f"{OUTSIDE}/24", "dev", BRIDGE)
    _do("ip", "link", "set", BRIDGE, "up")


class Machine:
    """One machine, running from its construction until ``lose_power``.

    Args:
        name: at most 8 characters.
        number: the last number of its address.
        home: the run's folder, with ``shared``, which all machines see as /tmp/shared.
        environment: what its processes get besides this process's environment.
    """

    def __init__(self, name: str, number: int, home: Path, environment: Mapping[str, str]) -> None:
        self.name, self.number, self.home = name, number, home
        self.address = f"{NETWORK}.{number}"
        ours = {"HOME": "/tmp/home", "TMPDIR": "/tmp", "PYTHONPATH": str(_TESTS)}
        self.environment = {**os.environ, **environment, **ours}
        self._start()

    def start(self, *command: str, **options: object) -> subprocess.Popen[str]:
        """Start a program on this machine."""
        inside = ("nsenter", "-t", str(self._first), "-p", "-m", "-n", "--")
        return subprocess.Popen((*inside, *command), env=self.environment, text=True, **options)  # type: ignore[call-overload, no-any-return]

    def run(self, *command: str, timeout_s: float = 120) -> str:
        """Run a program on this machine; return its output.

        Raises:
            RuntimeError: it failed.
        """
        started = self.start(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            output, errors = started.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            started.kill()
            raise RuntimeError(f"{self.name}: {' '.join(command)[:200]} hangs") from None
        if started.returncode:
            raise RuntimeError(f"{self.name}: {' '.join(command)[:200]}: {output}{errors}")
        return output

    def processes(self, part: str = "") -> list[Process]:
        """Return this machine's processes whose command line contains ``part``."""
        namespace = _namespace(self._first)
        return [one for one in processes(part) if _namespace(one.pid) == namespace]

    def lose_power(self) -> None:
        """Kill all of the machine's processes at once."""
        self._unshare.kill()  # its child, the first process, dies with it, and so does everything
        self._unshare.wait()

    def restart(self) -> None:
        """Restart the machine after ``lose_power``, with an empty /tmp."""
        self._start()

    # -- network ------------------------------------------------------------------------------

    def cut_from(self, *others: Machine) -> None:
        """Drop all traffic from and to other machines."""
        for other in others:
            self._network("iptables", "-A", "INPUT", "-s", other.address, "-j", "DROP")
            self._network("iptables", "-A", "OUTPUT", "-d", other.address, "-j", "DROP")

    def slow_down(self) -> None:
        """Limit traffic to 256 kbit/s, delay it by up to 400 ms, and drop a tenth of it."""
        rate = ("rate", "256kbit", "burst", "16kb", "latency", "400ms")
        self._network("tc", "qdisc", "replace", "dev", "eth0", "root", "tbf", *rate)
        lost = ("-m", "statistic", "--mode", "random", "--probability", "0.1", "-j", "DROP")
        self._network("iptables", "-A", "INPUT", "-i", "eth0", *lost)

    def mend_links(self) -> None:
        """Undo ``cut_from`` and ``slow_down``."""
        self._network("iptables", "-F")
        subprocess.run(self._in_network("tc", "qdisc", "del", "dev", "eth0", "root"),
                       capture_output=True, check=False)  # fmt: skip

    # -- inside -------------------------------------------------------------------------------

    def _start(self) -> None:
        folder = self.home / f"{self.name}-{len(list(self.home.glob(f'{self.name}-*')))}"
        (folder / "shared").mkdir(parents=True)
        data = folder / "home/.local/share/tabwarden"
        data.mkdir(parents=True)
        (data / "fleet").symlink_to("/tmp/shared/secrets")
        script = (
            f"mount --bind {self.home / 'shared'} {folder / 'shared'} && "
            f"mount --rbind {folder} /tmp && mount -t tmpfs none /dev/shm && "
            f"ip link set lo up && exec {sys.executable} -ISc '{_FIRST}'"
        )
        self._unshare = subprocess.Popen(
            ("unshare", *_NEW, "sh", "-c", script), stdout=subprocess.PIPE, text=True
        )
        assert self._unshare.stdout is not None
        if self._unshare.stdout.readline() != "ready\n":
            raise RuntimeError(f"the machine {self.name} did not start")
        [self._first] = [one.pid for one in processes() if one.parent == self._unshare.pid]
        outer, inner = f"tw-{self.name}", f"tx-{self.name}"
        # The kernel removes the link of a lost machine a little later.
        subprocess.run(("ip", "link", "del", outer), capture_output=True, check=False)
        _do("ip", "link", "add", outer, "type", "veth", "peer", "name", inner)
        _do("ip", "link", "set", inner, "netns", str(self._first), "name", "eth0")
        _do("ip", "link", "set", outer, "master", BRIDGE, "up")
        self._network("ip", "addr", "add", f"{self.address}/24", "dev", "eth0")
        self._network("ip", "link", "set", "eth0", "up")

    def _network(self, *command: str) -> None:
        _do(*self._in_network(*command))

    def _in_network(self, *command: str) -> tuple[str, ...]:
        return ("nsenter", "-t", str(self._first), "-n", "--", *command)


def processes(part: str = "") -> list[Process]:
    """Return the run's running processes whose command line contains ``part``."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (
                (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            )
            if command and part in command:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                found.append(Process(int(folder.name), int(fields[1]), command))
    return found


def browsers(among: list[Process] | None = None) -> list[Process]:
    """Return the main processes of browsers."""
    return [one for one in (processes() if among is None else among)
            if "--remote-debugging-" in one.command and "--type=" not in one.command]  # fmt: skip


def send(number: signal.Signals, *victims: Process) -> None:
    for victim in victims:
        with suppress(ProcessLookupError):
            os.kill(victim.pid, number)


def _namespace(pid: int) -> str:
    with suppress(OSError):
        return os.readlink(f"/proc/{pid}/ns/pid")
    return ""


def _do(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
