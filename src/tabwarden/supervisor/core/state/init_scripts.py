"""The values of init scripts."""

from __future__ import annotations

import msgspec


class InitScript(msgspec.Struct, frozen=True, kw_only=True):
    """A script of the caller, which runs in every document of the task before the page's own."""

    source: str
    name: str = ""
    """The path of its file; "" for a script without a file."""
