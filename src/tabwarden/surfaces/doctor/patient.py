"""The patient: what the checks look at, as it was when the doctor came."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tabwarden.config import Config, config_file, load_config
from tabwarden.errors import InvalidArgument

__all__ = ["Patient"]


class Patient(msgspec.Struct, frozen=True):
    """A configuration on this system.

    Attributes:
        file: the configuration's file, there or not.
        config: what it says; the defaults where it can't be obeyed.
        fault: why it can't.
    """

    file: Path
    config: Config
    fault: InvalidArgument | None = None

    @classmethod
    def of(cls, path: Path | None) -> Patient:
        """The one whose configuration is at ``path``, or in its usual place."""
        file = config_file(path)
        try:
            return cls(file, load_config(path))
        except InvalidArgument as error:
            return cls(file, Config(), error)
