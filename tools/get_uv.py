"""Install uv into FOLDER/bin: the two programs from its wheel on PyPI.

Usage: get_uv.py FOLDER [PINS]. Uses only the standard library, because a minimal Debian has neither
pip nor the venv module. If this fails, tries pip, which may have another index or certificate
configured. The index is PyPI, or PIP_INDEX_URL. Only a wheel with a hash in PINS is used. PINS is a
requirements file for pip, by default uv.txt beside this program.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import subprocess
import sys
import urllib.request
from html.parser import HTMLParser
from http.client import HTTPException
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin
from zipfile import BadZipFile, ZipFile

PINS = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).with_name("uv.txt")
PINNED = PINS.read_text("utf-8")
VERSION = PINNED.partition("uv==")[2].split()[0]
HASHES = re.findall(r"--hash=sha256:(\w+)", PINNED)
FAILURES = (OSError, ValueError, HTTPException, BadZipFile, subprocess.CalledProcessError)


class Links(HTMLParser):
    """Collects the links on a page of a package index (PEP 503)."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the links."""
        if tag == "a":
            self.found += [value for name, value in attrs if name == "href" and value]


def runs_here(filename: str) -> bool:
    """Whether a wheel's binary runs on this system."""
    machine = platform.machine().lower().replace("amd64", "x86_64").replace("aarch64", "arm64")
    tags = filename.lower().replace("aarch64", "arm64").split("-", 4)[-1]
    if sys.platform == "darwin":
        return "macosx" in tags and machine in tags
    libc = "manylinux" if platform.libc_ver()[0] else "musllinux"
    return libc in tags and machine in tags


def find_wheel() -> str:
    """Return the URL of uv's wheel for this system."""
    index = os.environ.get("PIP_INDEX_URL") or "https://pypi.org/simple"
    page = f"{index.rstrip('/')}/uv/"
    with urllib.request.urlopen(page, timeout=60) as answer:
        page, text = answer.url, answer.read().decode()
    links = Links()
    links.feed(text)
    for link in links.found:
        address: str = urldefrag(urljoin(page, link)).url
        filename = unquote(address.rpartition("/")[2])
        wheel = filename.startswith(f"uv-{VERSION}-") and filename.endswith(".whl")
        if wheel and runs_here(filename):
            return address
    raise ValueError(f"{page} has no wheel of uv {VERSION} for {platform.machine()}")


def from_wheel(folder: Path) -> None:
    """Fetch the wheel, check it, and unpack only the programs."""
    address = find_wheel()
    with urllib.request.urlopen(address, timeout=300) as answer:
        content = answer.read()
    if hashlib.sha256(content).hexdigest() not in HASHES:
        raise ValueError(f"{address} is not the pinned uv {VERSION} ({PINS})")
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    with ZipFile(BytesIO(content)) as archive:
        for member in archive.namelist():
            name = Path(member).name
            if "/scripts/" in member and name in {"uv", "uvx"}:
                program = folder / "bin" / name
                program.write_bytes(archive.read(member))
                program.chmod(0o755)


def from_pip(folder: Path) -> None:
    """Let the system's pip install uv into a temporary folder."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", "--require-hashes"]
    subprocess.run([*command, "--target", str(folder), "--requirement", str(PINS)], check=True)


def main() -> None:
    """Try both ways, and run the installed program."""
    folder = Path(sys.argv[1])
    uv = folder / "bin" / "uv"
    for way in (from_wheel, from_pip):
        try:
            way(folder)
            subprocess.run([uv, "--version"], check=True)
            return
        except FAILURES as error:
            uv.unlink(missing_ok=True)  # so that make does not use the broken program
            print(f"{way.__name__}: {error}", file=sys.stderr)
    raise SystemExit(
        "uv could not be installed. Install it (https://docs.astral.sh/uv) and run make again."
    )


if __name__ == "__main__":
    main()
