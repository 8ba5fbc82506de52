"""What is said when a framework is not installed: the extra that brings it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["needs"]


@contextmanager
def needs(extra: str, package: str) -> Iterator[None]:
    """Import a framework in the block.

    Args:
        extra: of Tabwarden's, which brings it.
        package: the import name that is missing then.

    Raises:
        ImportError: it is not installed; names the extra. Other failures pass as they are.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != package:
            raise
        raise ImportError(
            f"{package} is not installed. The extra brings it: pip install 'tabwarden[{extra}]'.",
            name=error.name,
        ) from error
