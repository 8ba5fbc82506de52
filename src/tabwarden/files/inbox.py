"""A daemon's inbox: the temporary folder into which CLI commands copy the files to upload."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

__all__ = ["INBOX", "is_in_inbox", "with_own_names"]

INBOX = "inbox-"
"""The part of the temporary folder's name that marks an inbox."""
_WITHIN = f"{os.sep}tabwarden-{INBOX}"


def with_own_names(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return a call's arguments, in which files that were copied to an inbox have their original
    names again. The daemon deletes the copies when it exits, but traces and their exports remain.
    """
    return {
        name: [*map(_own_name, value)]
        if name == "filenames" and isinstance(value, list)
        else _own_name(value)
        if name in ("filename", "path", "state")
        else value
        for name, value in arguments.items()
    }


def is_in_inbox(path: object) -> bool:
    """Whether a path is an inbox or a file in an inbox."""
    return _WITHIN in str(path)


def _own_name(path: Any) -> Any:
    return os.path.basename(path) if isinstance(path, str) and is_in_inbox(path) else path
