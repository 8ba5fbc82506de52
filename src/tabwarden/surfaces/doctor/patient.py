"""The patient: the configuration and system that the checks look at."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tabwarden.config import Config, config_file, load_config
from tabwarden.errors import InvalidArgument


class Patient(msgspec.Struct, frozen=True):
    """A configuration on this system.

    Attributes:
        file: the configuration's file, existing or not.
        config: the configuration; the defaults if the file is invalid.
        fault: why the file is invalid; None if it is valid.
    """

    file: Path
    config: Config
    fault: InvalidArgument | None = None

    @classmethod
    def of(cls, path: Path | None) -> Patient:
        """Return a patient with the configuration at ``path``, or at the usual path."""
        file = config_file(path)
        try:
            return cls(file, load_config(path))
        except InvalidArgument as error:
            return cls(file, Config(), error)
