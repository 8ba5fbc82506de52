"""The 125 tasks of ``miniwob``'s own list, and their pages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from bench import ROOT

__all__ = ["MINIWOB", "pages", "task_names"]

MINIWOB = "miniwob==1.1.0"
OWN_FOLDER = ROOT / ".bench" / "miniwob"


def pages() -> Path:
    """Return the folder with the pages. Download them from PyPI the first time.

    ``MINIWOB_WHEEL`` names an unpacked wheel to use instead.
    """
    folder = Path(os.environ.get("MINIWOB_WHEEL") or OWN_FOLDER)
    html = folder / "miniwob" / "html"
    if not html.exists():
        uv = os.environ.get("UV") or shutil.which("uv") or str(ROOT / ".tools" / "bin" / "uv")
        subprocess.run(
            [uv, "pip", "install", "--quiet", "--no-deps", "--target", str(folder), MINIWOB],
            check=True,
        )
    return html


def task_names() -> list[str]:
    """The names that the package registers, without its three flight sites."""
    registered = (pages().parent / "registration.py").read_text("utf-8")
    return sorted(set(re.findall(r'id="miniwob/([a-z0-9-]+)-v1"', registered)))
