"""Fetch uv's wheel from PyPI with nothing but the standard library (a Debian without pip).

Usage: get_uv_wheel.py VERSION FOLDER. The wheel's sha256 is checked against PyPI's own record.
"""

import hashlib
import json
import os
import platform
import sys
import urllib.request
import zipfile
from io import BytesIO
from pathlib import Path

INDEX = os.environ.get("TABWARDEN_PYPI_JSON", "https://pypi.org/pypi")


def wanted(filename: str) -> bool:
    """Whether a wheel's binary runs here."""
    machine = platform.machine().lower().replace("amd64", "x86_64").replace("aarch64", "arm64")
    name = filename.lower().replace("aarch64", "arm64")
    if sys.platform == "darwin":
        return "macosx" in name and machine in name
    libc = "musllinux" if not platform.libc_ver()[0] else "manylinux"
    return libc in name and machine in name


def main() -> None:
    """Fetch, check, unpack."""
    version, folder = sys.argv[1], Path(sys.argv[2])
    with urllib.request.urlopen(f"{INDEX}/uv/{version}/json", timeout=60) as answer:
        files = json.load(answer)["urls"]
    wheel = next(f for f in files if f["packagetype"] == "bdist_wheel" and wanted(f["filename"]))
    with urllib.request.urlopen(wheel["url"], timeout=300) as answer:
        content = answer.read()
    if hashlib.sha256(content).hexdigest() != wheel["digests"]["sha256"]:
        raise SystemExit(f"{wheel['filename']}: the checksum does not match")
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(BytesIO(content)) as archive:
        for member in archive.namelist():
            if member.endswith("/scripts/uv"):
                binary = folder / "bin" / "uv"
                binary.write_bytes(archive.read(member))
                binary.chmod(0o755)


if __name__ == "__main__":
    main()
