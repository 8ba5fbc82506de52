"""Log lines: ``key=value`` or JSON, one per record, without secrets."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.logs import log_to_stderr

SCRIPT = """
import logging, sys
from tabwarden.surfaces.logs import log_to_stderr
from tabwarden.telemetry import Telemetry
log_to_stderr("INFO", sys.argv[1])
telemetry = Telemetry("task 1")
telemetry.opened(product="Chrome/1", attached=True)
telemetry.popup()
telemetry.lost("no wss://cdp.example/x?token=sesame")
logging.getLogger("somebody.else").warning("Authorization: Basic %s", "sesame")
try:
    raise ValueError("password=sesame")
except ValueError:
    logging.getLogger("tabwarden.x").exception("two\\nlines")
"""


def lines(log_format: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, log_format], capture_output=True, text=True, check=True
    )
    assert done.stdout == ""
    assert "sesame" not in done.stderr
    return done.stderr.splitlines()


def test_text_log_writes_one_line_of_key_value_pairs_per_record() -> None:
    opened, lost, foreign, failed = (line.partition(" ")[2] for line in lines("text"))
    assert opened == (
        "level=info logger=tabwarden.telemetry event=browser_opened "
        'task_id="task 1" product=Chrome/1 attached=true'
    )
    assert 'reason="no wss://cdp.example"' in lost
    assert "logger=somebody.else" in foreign
    assert "Traceback" in failed


def test_json_log_writes_one_object_per_record() -> None:
    opened, lost, foreign, failed = (json.loads(line) for line in lines("json"))
    assert opened["event"] == "browser_opened"
    assert opened["task_id"] == "task 1"
    assert opened["attached"] is True
    assert opened["level"] == "info"
    assert opened["timestamp"]
    assert (lost["level"], lost["event"]) == ("warning", "connection_lost")
    assert foreign["logger"] == "somebody.else"
    assert "ValueError" in failed["exception"]


def test_log_to_stderr_rejects_an_unknown_level() -> None:
    with pytest.raises(InvalidArgument) as caught:
        log_to_stderr("LOUD")
    assert caught.value.data["field"] == "log_level"
