"""``Finding``, the result of a check, and ``Patient``, the configuration and system that the checks
examine.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from tabwarden.config import Config, config_file, load_config
from tabwarden.errors import InvalidArgument

Status = Literal["skipped", "ok", "warning", "problem"]
"""The statuses, from best to worst."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One result of a check.

    Attributes:
        check: the check's name, which ``examine`` sets.
        status: ``problem`` means that a feature will not work. ``warning`` means that a feature
            works, but not properly.
        message: a sentence that describes the result.
        command: the command that fixes the problem; "" if no command does.
        data: details for programs, without secrets.
    """

    check: str = ""
    status: Status
    message: str
    command: str = ""
    data: dict[str, Any] = {}


def ok(message: str, command: str = "", /, **data: Any) -> Finding:
    return Finding(status="ok", message=message, command=command, data=data)


def warning(message: str, command: str = "", /, **data: Any) -> Finding:
    return Finding(status="warning", message=message, command=command, data=data)


def problem(message: str, command: str = "", /, **data: Any) -> Finding:
    return Finding(status="problem", message=message, command=command, data=data)


def skipped(message: str, command: str = "", /, **data: Any) -> Finding:
    return Finding(status="skipped", message=message, command=command, data=data)


def worst(findings: Iterable[Finding]) -> Status:
    """Return the worst status; ``ok`` without findings."""
    order = get_args(Status)
    found = max((order.index(one.status) for one in findings), default=0)
    worst_status: Status = order[max(found, order.index("ok"))]
    return worst_status


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
        """Return a patient with the configuration at ``path``, or at the default path if ``path``
        is None.
        """
        file = config_file(path)
        try:
            return cls(file, load_config(path))
        except InvalidArgument as error:
            return cls(file, Config(), error)
