"""Read the text of a PDF, as a program of its own (``stored_text.py`` runs it).

The file is untrusted, so this process has a limit of memory and of CPU time, and the caller stops
it after a time. It imports nothing of Tabwarden, so that it starts fast.

Standard input is a JSON object: ``path``, ``password``, ``chars`` (the maximum length of the text)
and ``seconds``. Each line of the output is JSON: first ``{"pages", "title"}``, ``{"locked": true}``
or ``{"broken": true}``, and then the text of each page (null if it
can't be read).
"""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

_MEMORY = 1 << 30
"""The maximum address space in bytes. 200 pages of text take 40 MB."""
_TITLE_MAX = 200


def _limit(seconds: int) -> None:
    try:
        import resource
    except ImportError:  # Windows: only the caller's time limit applies
        return
    for limit, most in ((resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_CPU, seconds)):
        resource.setrlimit(limit, (most, most))


def _write(line: Any) -> None:
    sys.stdout.write(f"{json.dumps(line)}\n")
    sys.stdout.flush()


def main() -> None:
    asked = json.load(sys.stdin)
    _limit(asked["seconds"])
    logging.disable()  # pypdf reports each fault of the file
    from pypdf import PasswordType, PdfReader

    try:
        reader = PdfReader(asked["path"])
        if reader.is_encrypted and not _unlocked(reader, asked["password"], PasswordType):
            _write({"locked": True})
            return
        title = reader.metadata.title if reader.metadata is not None else None
        _write({"pages": len(reader.pages), "title": str(title or "")[:_TITLE_MAX]})
    except Exception:  # noqa: BLE001 - a hostile file can cause any error
        _write({"broken": True})
        return
    left = asked["chars"]
    for number in range(len(reader.pages)):
        try:
            text = reader.pages[number].extract_text()
        except Exception:  # noqa: BLE001 - as above
            _write(None)
            continue
        _write(text[:left])
        left -= len(text)
        if left <= 0:
            return


def _unlocked(reader: Any, password: str, outcomes: Any) -> bool:
    """Whether a password opens the file. Many files have an empty one."""
    return any(reader.decrypt(one) != outcomes.NOT_DECRYPTED for one in ("", password))


if __name__ == "__main__":
    main()
