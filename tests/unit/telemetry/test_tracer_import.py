"""The tracer while another thread is still importing OpenTelemetry, as the MCP SDK does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SLOW = "import time\ntime.sleep(0.3)\ndef get_tracer(name):\n    return f'tracer of {name}'\n"
PROGRAM = """
import sys, threading
from tabwarden.telemetry.task import tracer
threading.Thread(target=__import__, args=("opentelemetry.trace",)).start()
while "opentelemetry.trace" not in sys.modules:
    pass
print(tracer())
"""


def test_tracer_waits_until_another_thread_has_imported_opentelemetry(tmp_path: Path) -> None:
    # A real import is over too soon: a module that sleeps stands for it.
    (tmp_path / "opentelemetry/trace").mkdir(parents=True)
    (tmp_path / "opentelemetry/__init__.py").touch()
    (tmp_path / "opentelemetry/trace/__init__.py").write_text(SLOW)
    program = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n{PROGRAM}"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout.strip() == "tracer of tabwarden", ran.stderr
