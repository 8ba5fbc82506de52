"""The error for a framework that is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["needs"]


@contextmanager
def needs(extra: str, package: str, *, at_least: str = "") -> Iterator[None]:
    """Wrap the import of a framework, and explain an ImportError.

    Args:
        extra: the Tabwarden extra that installs the framework.
        package: the import name of the framework's package.
        at_least: the first version that has what is imported.

    Raises:
        ImportError: the framework is not installed, or too old. The message names the extra.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != package:
            raise
        lacks = "is not installed" if error.name == package else f"is older than {at_least}"
        raise ImportError(
            f"{package} {lacks}. Install it with the extra: pip install 'tabwarden[{extra}]'.",
            name=error.name,
        ) from error
