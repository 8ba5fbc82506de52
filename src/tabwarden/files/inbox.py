"""The inbox of a daemon: the temporary folder into which commands copy the files that pages get."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

__all__ = ["INBOX", "is_in_inbox", "with_own_names"]

INBOX = "inbox-"
"""The purpose of such a scratch folder."""
_WITHIN = f"{os.sep}tabwarden-{INBOX}"


def with_own_names(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return a call's arguments with the own names of files that are copies in an inbox: the copies
    end with the daemon, and traces and their exports outlive it."""
    return {
        name: [*map(_own_name, value)]
        if name == "filenames" and isinstance(value, list)
        else _own_name(value)
        if name in ("filename", "path", "state")
        else value
        for name, value in arguments.items()
    }


def is_in_inbox(path: object) -> bool:
    """Whether a path is that of an inbox, or of a file in it."""
    return _WITHIN in str(path)


def _own_name(path: Any) -> Any:
    return os.path.basename(path) if isinstance(path, str) and is_in_inbox(path) else path
