"""Check a path that a caller passes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tabwarden.errors import InvalidArgument


def local_path(field: str, value: Any) -> Path:
    """Return a caller's path.

    Raises:
        InvalidArgument: the value of ``field`` is not a path.
    """
    try:
        path = os.fspath(value)
        if isinstance(path, str) and path and "\0" not in path:
            return Path(path).expanduser()
    except (TypeError, RuntimeError):  # not a path, or the home folder of an unknown user
        pass
    raise InvalidArgument(
        f"{field} must be a path, not {repr(value)[:100]}.", "Give a string or a Path.", field=field
    )
