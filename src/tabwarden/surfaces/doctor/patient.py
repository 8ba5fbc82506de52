"""The patient: the configuration and the system that the checks examine."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tabwarden.config import Config, config_file, load_config
from tabwarden.errors import InvalidArgument


class Patient(msgspec.Struct, frozen=True):
    """A configuration on this system.

    Attributes:
        file: the path of the configuration file. The file may not exist.
        config: the configuration, or the defaults if the file is invalid.
        fault: the error if the file is invalid.
    """

    file: Path
    config: Config
    fault: InvalidArgument | None = None

    @classmethod
    def of(cls, path: Path | None) -> Patient:
        """Return a patient with the configuration at ``path``, or at the default path if None."""
        file = config_file(path)
        try:
            return cls(file, load_config(path))
        except InvalidArgument as error:
            return cls(file, Config(), error)
