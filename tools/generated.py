"""Generated files: a generator writes a file, or with ``--check`` fails if the file is stale."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def write_or_check(path: Path, text: str) -> None:
    """Write a generated file; with ``--check`` on the command line, only compare the file.

    Raises:
        SystemExit: the file is missing or has different content.
    """
    if "--check" not in sys.argv[1:]:
        path.write_text(text, "utf-8")
    elif not path.is_file() or path.read_text("utf-8") != text:
        raise SystemExit(f"{path.relative_to(ROOT)} is stale: run make generate")
