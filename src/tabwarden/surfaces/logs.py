"""Logs go to stderr: stdout belongs to results (and to MCP's messages)."""

from __future__ import annotations

import logging

from tabwarden.errors import InvalidArgument

__all__ = ["log_to_stderr"]


def log_to_stderr(level: str) -> None:
    """Log ``tabwarden``'s messages from ``level`` up.

    Raises:
        InvalidArgument: no such level.
    """
    number = logging.getLevelNamesMapping().get(level.upper())
    if number is None:
        raise InvalidArgument(
            f"There is no log level {level!r}.",
            "Levels: DEBUG, INFO, WARNING, ERROR.",
            field="log_level",
        )
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("tabwarden").setLevel(number)
