"""The commands in README, docs/cli.md and SKILL.md, run as written."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

import pytest
from browser.surfaces.cli.shell import PROGRAM, shell

ROOT = Path(__file__).parents[2]


SKILL = "src/tabwarden/surfaces/hosts/SKILL.md"


@pytest.mark.parametrize("page", ["README.md", "docs/cli.md", SKILL])
def test_commands_in_the_cli_guide_print_the_documented_output(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    (code,) = re.findall(r"^```bash\n(.*?)^```", text, re.M | re.S)
    with tempfile.TemporaryDirectory(prefix="tw-") as folder, shell(Path(folder)) as made:
        path = f"{PROGRAM.parent}:{made.env['PATH']}"
        printed = ""
        for line in code.splitlines():
            command, _, answer = line.partition("  # ")
            if not command.strip():
                assert answer.strip() in printed, "of the command above"
                continue
            done = subprocess.run(
                ["bash", "-euc", line], capture_output=True, text=True, timeout=60,
                cwd=folder, env={**made.env, "PATH": path}, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done
            printed = done.stdout
            assert answer.strip() in printed
        for picture in re.findall(r"screenshot (\S+)", code):
            assert (Path(folder) / picture).read_bytes().startswith(b"\x89PNG")
