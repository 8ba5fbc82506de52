"""``tabwarden doctor`` as tests run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from tabwarden.surfaces.cli import main

__all__ = ["SECRET", "Doctor"]

SECRET = "hunter2Hunter2hunter2"


class Doctor:
    """The command, and its last output."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def look(self, *checks: str, status: int | None = None) -> list[dict[str, Any]]:
        """The findings of these checks."""
        only = [part for name in checks for part in ("--only", name)]
        named = ["--config", str(self.file)] if self.file.exists() else []
        result = CliRunner().invoke(main, ["doctor", "--json", *only, *named])
        assert SECRET not in result.output
        told = json.loads(result.output)
        assert result.exit_code == (1 if told["status"] == "problem" else 0)
        found: list[dict[str, Any]] = told["checks"]
        return found

    def one(self, check: str) -> dict[str, Any]:
        """The only finding of a check."""
        (found,) = self.look(check)
        return found

    def mend(self, found: dict[str, Any]) -> None:
        """Run the command that the finding suggests."""
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        subprocess.run(
            found["command"], shell=True, check=True, env={**os.environ, "PATH": path},
            capture_output=True, timeout=60,
        )  # fmt: skip
