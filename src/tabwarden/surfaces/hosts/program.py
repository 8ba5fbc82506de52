"""The command by which another program starts this Tabwarden again."""

from __future__ import annotations

import json
import shutil
import sys
import sysconfig
from importlib.metadata import distribution
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

__all__ = ["program"]


def program() -> list[str]:
    """Return the words that start this installation, from any folder and without its ``PATH``."""
    if _is_uvx():
        return [shutil.which("uvx") or "uvx", "--from", _source(), "tabwarden"]
    name = "tabwarden.exe" if sys.platform == "win32" else "tabwarden"
    script = Path(sysconfig.get_path("scripts")) / name
    if script.is_file():
        return [str(script)]
    return [sys.executable, "-m", "tabwarden"]


def _is_uvx() -> bool:
    """Whether ``uvx`` made this environment: it may be gone when its cache is cleaned."""
    return any(part.startswith("archive-v") for part in Path(sys.prefix).parts)


def _source() -> str:
    """What ``uvx --from`` takes: the package, or the wheel, folder or address that it came from."""
    ours = distribution("tabwarden")
    url = json.loads(ours.read_text("direct_url.json") or "{}").get("url", "")
    if url.startswith("file:"):
        return url2pathname(urlsplit(url).path)
    return url or f"tabwarden=={ours.version}"
