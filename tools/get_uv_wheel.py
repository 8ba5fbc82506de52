"""Fetch uv's wheel from PyPI with nothing but the standard library (a Debian without pip).

Usage: get_uv_wheel.py VERSION FOLDER. The index is PyPI's, or the one that PIP_INDEX_URL names;
the wheel's sha256 is checked against the index's own record.
"""

import hashlib
import os
import platform
import sys
import urllib.error
import urllib.request
import zipfile
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin


class Links(HTMLParser):
    """The addresses on a page of a package index (PEP 503)."""

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


def find_wheel(index: str, version: str) -> tuple[str, str]:
    """Address and sha256 of uv's wheel for this system."""
    page = f"{index.rstrip('/')}/uv/"
    with urllib.request.urlopen(page, timeout=60) as answer:
        page, text = answer.url, answer.read().decode()
    links = Links()
    links.feed(text)
    for link in links.found:
        address, checksum = urldefrag(urljoin(page, link))
        filename = unquote(address.rpartition("/")[2])
        wheel = filename.startswith(f"uv-{version}-") and filename.endswith(".whl")
        if wheel and runs_here(filename) and checksum.startswith("sha256="):
            return address, checksum.removeprefix("sha256=")
    raise SystemExit(f"{page} has no wheel of uv {version} for {platform.machine()}")


def main() -> None:
    """Fetch, check, unpack."""
    version, folder = sys.argv[1], Path(sys.argv[2])
    index = os.environ.get("PIP_INDEX_URL") or "https://pypi.org/simple"
    address, sha256 = find_wheel(index, version)
    with urllib.request.urlopen(address, timeout=300) as answer:
        content = answer.read()
    if hashlib.sha256(content).hexdigest() != sha256:
        raise SystemExit(f"{address}: the checksum does not match")
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(BytesIO(content)) as archive:
        for member in archive.namelist():
            if member.endswith("/scripts/uv"):
                binary = folder / "bin" / "uv"
                binary.write_bytes(archive.read(member))
                binary.chmod(0o755)


if __name__ == "__main__":
    try:
        main()
    except urllib.error.URLError as error:
        raise SystemExit(f"uv's wheel cannot be fetched: {error}") from None
