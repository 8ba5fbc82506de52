"""The exit status of a command."""

from __future__ import annotations

__all__ = ["EXIT_CODES", "exit_code"]

EXIT_CODES = {
    "invalid_argument": 2,
    "launch_failed": 3,
    "endpoint_unreachable": 3,
    "browser_gone": 3,
    "budget_exceeded": 4,
    "cancelled": 130,
}
"""By error code; every other error is 1. An action that was interrupted is no error: 0."""


def exit_code(code: str) -> int:
    """The status that an error code ends a command with."""
    return EXIT_CODES.get(code, 1)
