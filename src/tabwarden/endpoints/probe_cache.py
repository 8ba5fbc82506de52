"""What earlier probes found, on disk: a browser is started to be known only once."""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
import time
from pathlib import Path

import msgspec
import platformdirs

__all__ = ["Answer", "ProbeCache"]

log = logging.getLogger("tabwarden.endpoints")

_REFUSAL_HOLDS_S = 3600.0
"""A refusal may be mended without a change to the file (a library is installed)."""


class Answer(msgspec.Struct, frozen=True):
    """What a probe of one file found; it holds while time and size of the file do."""

    mtime_ns: int
    size: int
    probed_at: float
    product: str = ""
    reason: str = ""


class ProbeCache:
    """Answers by path, in one JSON file. A broken or unwritable file is no cache, no failure.

    Args:
        file: instead of the one in the user's cache folder.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or (
            Path(platformdirs.user_cache_dir("tabwarden", appauthor=False)) / "probes.json"
        )

    def look_up(self, path: Path) -> Answer | None:
        """The answer for ``path`` as it is now."""
        answer = self._read().get(str(path))
        status = _status(path)
        if answer is None or status is None or (answer.mtime_ns, answer.size) != status:
            return None
        if answer.reason and not 0 <= time.time() - answer.probed_at < _REFUSAL_HOLDS_S:
            return None
        return answer

    def store(self, path: Path, product: str, reason: str) -> None:
        """Keep an answer. Of two processes at once, one may lose its answer: it asks again."""
        status = _status(path)
        if status is None:
            return
        answers = {name: answer for name, answer in self._read().items() if Path(name).exists()}
        answers[str(path)] = Answer(*status, time.time(), product, reason)
        self._write(answers)

    def forget(self, path: Path) -> None:
        """Drop the answer for ``path``."""
        answers = self._read()
        if answers.pop(str(path), None) is not None:
            self._write(answers)

    def _read(self) -> dict[str, Answer]:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=dict[str, Answer])
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return {}

    def _write(self, answers: dict[str, Answer]) -> None:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            fd, draft = tempfile.mkstemp(prefix=".probes-", dir=self._file.parent)
            try:
                with os.fdopen(fd, "wb") as file:
                    file.write(msgspec.json.encode(answers))
                os.replace(draft, self._file)
            except OSError:
                with contextlib.suppress(OSError):
                    os.unlink(draft)
                raise
        except OSError as error:
            log.debug("probes are not cached: %s", error)


def _status(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
