"""The chaos run's tools detect violations."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from urllib.request import Request, urlopen

from support.fleet_chaos.beats import Beats
from support.fleet_chaos.machines import enclosing, why_not
from support.fleet_history import History, violations
from support.needs import lack

TESTS = Path(__file__).parents[2]

_ON_MACHINES = """
import os, sys, tempfile
from pathlib import Path
from support.fleet_chaos.machines import Machine, make_network, processes

home = Path(tempfile.mkdtemp(dir=sys.argv[1]))
(home / "shared/secrets").mkdir(parents=True)
make_network()
one, two = Machine("m1", 1, home, {}), Machine("m2", 2, home, {})
serving = one.start(sys.executable, "-u", "-c", '''
import socket
server = socket.create_server(("", 7000))
print("serves")
while True:
    server.accept()[0].sendall(b"hello")
''', stdout=-1)
assert serving.stdout.readline() == "serves\\n"

def asks():
    try:
        return two.run(sys.executable, "-c", '''
import socket
with socket.create_connection(("10.77.0.1", 7000), timeout=1) as connection:
    print(connection.recv(60))
''')
    except RuntimeError as error:
        return "no answer" if "timed out" in str(error) else str(error)

print(asks().strip())
two.cut_from(one)
print(asks())
two.mend_links()
print(asks().strip())
two.slow_down()
two.mend_links()
print([len(machine.processes("socket.create_server")) for machine in (one, two)])
one.lose_power()
serving.wait()
left = {process.pid for process in processes("socket.create_server")}
print(sorted(left - {os.getpid()}))
one.restart()
print(len(one.processes()))
"""


def test_chaos_tools_can_cut_a_simulated_machines_network_and_power(tmp_path: Path) -> None:
    if why := why_not():
        lack("namespaces", why)
    done = subprocess.run(
        (*enclosing([sys.executable, "-c", _ON_MACHINES, str(tmp_path)]),),
        env={"PYTHONPATH": str(TESTS), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "b'hello'", "no answer", "b'hello'", "[1, 0]", "[]", "1",
    ], done.stderr  # fmt: skip


def _beat(url: str, generation: int, sent: float) -> None:
    query = f"beat?task=a1&generation={generation}&sent={sent * 1000:.0f}"
    with urlopen(Request(f"{url}{query}", method="POST")):
        pass


def test_chaos_check_reports_two_simultaneous_browsers_of_one_task() -> None:
    beats, now = Beats("127.0.0.1"), time.time()
    _beat(beats.url, 1, now)
    _beat(beats.url, 1, now + 1)
    _beat(beats.url, 2, now + 2)
    assert violations(History([*beats.owned()])) == []
    _beat(beats.url, 1, now + 2.5)
    [wrong] = violations(History([*beats.owned()]))
    assert "two owners" in wrong
