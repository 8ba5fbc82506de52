"""Downloads: streamed to a file, bounded in time and size, checked before anyone looks inside."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from tabwarden.budget import Budget
from tabwarden.endpoints.install.report import Progress, WayFailed

__all__ = ["Source", "download", "parse_digest"]

_CONNECT_S = 5.0
"""A blocked network must show at once, so that the next way is tried."""
_STALL_S = 30.0
_MAX_BYTES = 1024 * 1024 * 1024


class Source(NamedTuple):
    """A file on the net, and what it must be."""

    url: str
    digest: str
    """``sha256-<hex>``, or npm's ``sha512-<base64>``."""


def parse_digest(text: str) -> tuple[str, bytes]:
    """Algorithm and value of ``sha256-…`` or ``sha512-…``, in hexadecimal or base64.

    Raises:
        ValueError: it is neither.
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
    """Fetch ``source`` into the new file ``to``.

    Raises:
        WayFailed: unreachable, refused, stalled, too large, late, or not what it must be; the
            file is gone then.
    """
    import httpx2  # takes long to import, and is for this alone here

    arrived = False
    try:
        async with asyncio.timeout(budget.remaining_s()):
            await _fetch(source, to, progress)
        arrived = True
    except httpx2.HTTPError as error:
        host = urlsplit(source.url).netloc
        raise WayFailed(f"{host}: {type(error).__name__}: {error}") from error
    except TimeoutError as error:
        raise WayFailed(f"{source.url} did not arrive in time") from error
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
        httpx2.AsyncClient(
            timeout=httpx2.Timeout(_STALL_S, connect=_CONNECT_S),
            follow_redirects=True,
            trust_env=not loopback,
        ) as client,
        client.stream("GET", source.url) as answer,
    ):
        if answer.status_code != 200:
            raise WayFailed(f"{parts.netloc} answered HTTP {answer.status_code}")
        length = answer.headers.get("content-length", "")
        total = int(length) if length.isdigit() else None
        done = 0
        with to.open("xb") as file:
            # Raw: a digest is of the file, whatever a server says about its encoding.
            async for chunk in answer.aiter_raw(1 << 18):
                done += len(chunk)
                if done > _MAX_BYTES:
                    raise WayFailed(f"{source.url} is larger than {_MAX_BYTES} bytes")
                digest.update(chunk)
                file.write(chunk)
                progress(step, done, total)
    if digest.digest() != expected:
        raise WayFailed(
            f"{source.url} is not the file it must be: its {algorithm} is "
            f"{digest.hexdigest()}, not {expected.hex()}"
        )
