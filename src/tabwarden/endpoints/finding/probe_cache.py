"""Cache probe results on disk, so that each browser is started only once."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import msgspec
import platformdirs

from tabwarden.files.plain_file import read_plain_file
from tabwarden.files.secret_file import replace_private_file

REFUSAL_HOLDS_S = 3600.0
"""How long a failed test remains valid. After that, we test the browser again, because somebody may
have installed a missing library.
"""

log = logging.getLogger("tabwarden.endpoints")


class ProbeOutcome(msgspec.Struct, frozen=True):
    """The result of probing one file. The result is valid until the file's modification time or
    size changes.
    """

    mtime_ns: int
    size: int
    probed_at: float
    product: str = ""
    reason: str = ""


class ProbeCache:
    """Probe results keyed by path, in one JSON file. If the file is unusable, nothing is cached."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or (
            Path(platformdirs.user_cache_dir("tabwarden", appauthor=False)) / "probes.json"
        )

    def look_up(self, path: Path) -> ProbeOutcome | None:
        """Return the result for ``path``; None if there is no valid result."""
        answer = self._read().get(str(path))
        status = _status(path)
        if answer is None or status is None or (answer.mtime_ns, answer.size) != status:
            return None
        if answer.reason and not 0 <= time.time() - answer.probed_at < REFUSAL_HOLDS_S:
            return None
        return answer

    def store(self, path: Path, product: str, reason: str) -> None:
        """Save a result. If two processes save at once, one of the results may be lost."""
        status = _status(path)
        if status is None:
            return
        answers = {name: answer for name, answer in self._read().items() if Path(name).exists()}
        answers[str(path)] = ProbeOutcome(*status, time.time(), product, reason)
        self._write(answers)

    def forget(self, path: Path) -> None:
        answers = self._read()
        if answers.pop(str(path), None) is not None:
            self._write(answers)

    def _read(self) -> dict[str, ProbeOutcome]:
        try:
            return msgspec.json.decode(read_plain_file(self._file), type=dict[str, ProbeOutcome])
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return {}

    def _write(self, answers: dict[str, ProbeOutcome]) -> None:
        try:
            replace_private_file(self._file, msgspec.json.encode(answers))
        except OSError as error:
            log.debug("browser test results are not cached: %s", error)


def _status(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
