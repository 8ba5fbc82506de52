"""Control from a shell: who has it, open handoffs, and the person's answer."""

from __future__ import annotations

import getpass
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from browser.surfaces.cli.shell import Shell
from support.eventually import eventually

REASON = "Type the code\x1b[2J"


@pytest.mark.long
def test_person_completes_the_agents_handoff_from_a_shell(shared_shell: Shell) -> None:
    shared_shell.ok("goto", "about:blank")
    assert "the agent has control" in shared_shell.ok("control")
    with ThreadPoolExecutor() as apart:
        call = apart.submit(shared_shell.json, "handoff", REASON, "--timeout-ms", "20000")
        (asked,) = eventually(lambda: json.loads(shared_shell.ok("handoffs", "--json")))
        assert asked["reason"] == REASON
        for command in (("status",), ("live", "--no-open"), ("handoffs",)):
            assert "Type the code" in (told := shared_shell.ok(*command))
            assert "\x1b" not in told  # a terminal would interpret it
        shared_shell.ok("handoffs", "refuse", asked["id"], "No code came.")
        value = call.result(60)["value"]
    assert value["outcome"] == "refused"
    assert (value["by"], value["message"]) == (getpass.getuser(), "No code came.")
    assert "no hand-off is waiting" in shared_shell.ok("handoffs")
    assert "is not waiting" in shared_shell.fail("handoffs", "done", asked["id"], status=2)
    refused = shared_shell.json("handoffs", "done", asked["id"])
    assert refused["error"]["code"] == "invalid_argument"
    assert "the agent has control" in shared_shell.ok("control", "release")
