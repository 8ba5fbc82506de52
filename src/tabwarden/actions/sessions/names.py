"""Names of tasks and tenants. If the tenant ``acme`` has a task ``a3``, the server's name for the
task is ``acme~a3``.

Names of tasks and tenants contain no ``~``, so the full names of a server's tasks are unique.
"""

from __future__ import annotations

import re

from tabwarden.errors import InvalidArgument

DEFAULT_TASK = "default"
TASK_NAME = "[A-Za-z0-9._-]{1,64}"
TENANT_NAME = "[a-z0-9][a-z0-9-]{0,31}"
"""Tenant names are lowercase, because some file systems ignore the case of folder names."""
_MARK = "~"
FULL_NAME = f"(?:{TENANT_NAME}{_MARK})?{TASK_NAME}"
"""The server's name for a task: its tenant, if any, and its own name."""


def checked_name(name: str) -> str:
    """Return ``name``, or raise ``InvalidArgument`` if it is not a valid task name."""
    return _checked(name, TASK_NAME)


def checked_full_name(name: str) -> str:
    """Return ``name``, or raise ``InvalidArgument`` if no task on a server can have this name."""
    return _checked(name, FULL_NAME)


def checked_tenant(name: str, field: str) -> str:
    """Return ``name``, or raise ``InvalidArgument`` if it is not a valid tenant or token name.

    Args:
        name: the name.
        field: the argument's name for the error: ``tenant`` or ``name``.
    """
    if not re.fullmatch(TENANT_NAME, name):
        raise InvalidArgument(
            f"{name[:100]!r} is not a valid {field}.",
            "Use 1 to 32 lowercase letters, digits and dashes, starting with a letter or digit.",
            field=field,
        )
    return name


def full_name(tenant: str | None, name: str) -> str:
    """Return the server's name for a task.

    Args:
        tenant: the task's tenant; None for the operator, who uses full names.
        name: the tenant's name for the task.

    Raises:
        InvalidArgument: the name is not valid.
    """
    if tenant is None:
        return checked_full_name(name)
    return f"{tenant}{_MARK}{checked_name(name)}"


def tenant_of(full: str) -> str | None:
    """Return the tenant from the server's name for a task; None if the task belongs to the
    operator."""
    tenant, mark, _ = full.rpartition(_MARK)
    return tenant if mark else None


def own_name(full: str) -> str:
    """Return the tenant's name for a task."""
    return full.rpartition(_MARK)[2]


def _checked(name: str, pattern: str) -> str:
    if not re.fullmatch(pattern, name):
        raise InvalidArgument(
            f"{name[:100]!r} is not a valid task name.",
            "Use 1 to 64 letters, digits, dots, dashes and underscores.",
            field="task",
        )
    return name
