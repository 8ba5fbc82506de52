"""Download a file, with limits on time and size, and verify its checksum."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from tabwarden.budget import Budget
from tabwarden.digits import whole_number
from tabwarden.endpoints.install.report import InstallFailed, Progress
from tabwarden.http_client import http_client

STALL_S = 30.0
"""A download that receives nothing for this long has failed."""
CONNECT_S = 5.0
"""Timeout for connecting to a server. The timeout is short so that Tabwarden soon tries the next
source if the network is blocked.
"""
_MAX_BYTES = 1024 * 1024 * 1024


class Source(NamedTuple):
    """A file to download, and its checksum."""

    url: str
    digest: str
    """``sha256-<hex>``, or npm's ``sha512-<base64>``."""


def parse_digest(text: str) -> tuple[str, bytes]:
    """Parse ``sha256-…`` or ``sha512-…``, in hexadecimal or base64, into algorithm and value.

    Raises:
        ValueError: the text has neither format.
    """
    algorithm, _, value = text.partition("-")
    if algorithm not in {"sha256", "sha512"}:
        raise ValueError(f"unknown digest {algorithm!r}")
    size = hashlib.new(algorithm).digest_size
    try:
        digest = bytes.fromhex(value) if len(value) == size * 2 else base64.b64decode(value)
    except binascii.Error as error:
        raise ValueError(f"malformed {algorithm} digest") from error
    if len(digest) != size:
        raise ValueError(f"malformed {algorithm} digest")
    return algorithm, digest


async def download(source: Source, to: Path, progress: Progress, budget: Budget) -> None:
    """Download ``source`` into the new file ``to``.

    Raises:
        InstallFailed: the server is unreachable or rejects the request, or the download stalls,
            takes too long, is too large or has the wrong checksum. The file is deleted.
    """
    import httpx2  # slow to import, and needed only here

    arrived = False
    try:
        async with asyncio.timeout(budget.remaining_s()):
            await _fetch(source, to, progress)
        arrived = True
    except httpx2.HTTPError as error:
        host = urlsplit(source.url).netloc
        raise InstallFailed(f"{host}: {type(error).__name__}: {error}") from error
    except TimeoutError as error:
        raise InstallFailed(f"{source.url} was not downloaded in time") from error
    finally:
        if not arrived:
            _remove(to)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


async def _fetch(source: Source, to: Path, progress: Progress) -> None:
    import httpx2

    algorithm, expected = parse_digest(source.digest)
    digest = hashlib.new(algorithm)
    parts = urlsplit(source.url)
    step = f"download {parts.path.rpartition('/')[2]}"
    loopback = parts.hostname in {"localhost", "127.0.0.1", "::1"}
    async with (
        http_client(
            timeout=httpx2.Timeout(STALL_S, connect=CONNECT_S),
            follow_redirects=True,
            trust_env=not loopback,
        ) as client,
        client.stream("GET", source.url) as answer,
    ):
        if answer.status_code != 200:
            raise InstallFailed(f"{parts.netloc} responded with HTTP {answer.status_code}")
        total = whole_number(answer.headers.get("content-length", ""))
        done = 0
        with to.open("xb") as file:
            # Read raw bytes, because the checksum applies to the bytes that the server sends, even
            # if it declares a content encoding.
            async for chunk in answer.aiter_raw(1 << 18):
                done += len(chunk)
                if done > _MAX_BYTES:
                    raise InstallFailed(f"{source.url} is larger than {_MAX_BYTES} bytes")
                digest.update(chunk)
                file.write(chunk)
                progress(step, done, total)
    if digest.digest() != expected:
        raise InstallFailed(
            f"{source.url} is not the expected file: its {algorithm} is {digest.hexdigest()}, "
            f"not {expected.hex()}"
        )
