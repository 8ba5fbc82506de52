"""The source of the protocol description: a pinned npm package, vendored beside this file.

`lock.json` names the package's version with the integrity that npm publishes for it, and the
hash of each vendored file. Files with a different hash are refused.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import tarfile
import urllib.request
import zlib
from pathlib import Path

import msgspec

__all__ = ["FILES", "VENDOR", "IntegrityError", "Lock", "load", "read_lock", "update"]

VENDOR = Path(__file__).parent
FILES = ("browser_protocol.json", "js_protocol.json")
_LOCK = "lock.json"
_LICENSE = "LICENSE.devtools-protocol"


class IntegrityError(Exception):
    """The bytes don't match the lock file's hash."""


class Lock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pinned version. To change it, edit `version` and `integrity`, and run `--update`."""

    package: str
    version: str
    integrity: str
    files: dict[str, str]

    @property
    def tarball(self) -> str:
        """The package's URL in the npm registry."""
        return f"https://registry.npmjs.org/{self.package}/-/{self.package}-{self.version}.tgz"


def read_lock(folder: Path = VENDOR) -> Lock:
    """Return a vendor folder's lock file."""
    return msgspec.json.decode((folder / _LOCK).read_bytes(), type=Lock)


def load(folder: Path = VENDOR) -> list[bytes]:
    """Return the vendored JSON files, after checking each file against the lock file."""
    lock = read_lock(folder)
    return [_load_one(folder / f"{name}.gz", lock.files[name]) for name in FILES]


def update(folder: Path = VENDOR) -> None:
    """Fetch the pinned package and vendor its JSON files again."""
    lock = read_lock(folder)
    with urllib.request.urlopen(lock.tarball, timeout=60) as response:
        unpack(response.read(), folder)


def unpack(tarball: bytes, folder: Path = VENDOR) -> None:
    """Vendor the JSON files from a package with the integrity in the lock file."""
    lock = read_lock(folder)
    _verify(lock.tarball, tarball, lock.integrity)
    hashes = {}
    with tarfile.open(fileobj=io.BytesIO(tarball), mode="r:gz") as archive:
        for name in FILES:
            content = _member(archive, f"package/json/{name}")
            hashes[name] = _sha512(content)
            (folder / f"{name}.gz").write_bytes(gzip.compress(content, mtime=0))
        (folder / _LICENSE).write_bytes(_member(archive, "package/LICENSE"))
    locked = msgspec.structs.replace(lock, files=hashes)
    (folder / _LOCK).write_bytes(msgspec.json.format(msgspec.json.encode(locked)) + b"\n")


def _load_one(path: Path, integrity: str) -> bytes:
    try:
        content = gzip.decompress(path.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise IntegrityError(f"{path.name}: cannot be decompressed: {error}") from error
    _verify(path.name, content, integrity)
    return content


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    member = archive.extractfile(name)
    if member is None:
        raise IntegrityError(f"{name}: not a file in the package")
    return member.read()


def _sha512(content: bytes) -> str:
    return "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()


def _verify(what: str, content: bytes, expected: str) -> None:
    actual = _sha512(content)
    if actual != expected:
        raise IntegrityError(f"{what}: expected {expected}, got {actual}")
