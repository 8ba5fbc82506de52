"""The commands in docs/http.md, run against their own server."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from browser.surfaces.http.client import serving
from support.needs import needs
from support.running import browser_here

GUIDE = Path(__file__).parents[2] / "docs/http.md"


@needs("bash", "curl")
def test_commands_in_the_http_guide_print_the_documented_output(tmp_path: Path) -> None:
    (code,) = re.findall(r"^```bash\n(.*?)^```", GUIDE.read_text("utf-8"), re.M | re.S)
    home = {
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path / ".local/state"),
        # The browser may be one that Tabwarden installed below this user's own HOME
        "TABWARDEN_CHROME": str(browser_here().path),
    }
    with serving(**home, TABWARDEN_SERVER__TOKEN="") as server:
        script = code.replace("127.0.0.1:8414", server.url.removeprefix("http://"))
        done = subprocess.run(
            ["bash", "-eu"], input=script, capture_output=True, text=True, timeout=60,
            cwd=tmp_path, env={**os.environ, **home}, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answers = done.stdout.splitlines()
    calls = [line for line in code.splitlines() if line.startswith("api /")]
    assert len(answers) == len(calls)
    for line, answer in zip(calls, answers, strict=True):
        said = line.partition("  # ")[2].strip()
        assert said.replace('"', "") in answer.replace("\\", "").replace('"', ""), answer
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
