"""Names of tasks and tenants. The tenant ``acme`` calls its task ``a3``; the server, ``acme~a3``.

Neither a task's nor a tenant's name has a ``~``, so no two tasks of a server share a name.
"""

from __future__ import annotations

import re

from tabwarden.errors import InvalidArgument

DEFAULT_TASK = "default"
TASK_NAME = "[A-Za-z0-9._-]{1,64}"
TENANT_NAME = "[a-z0-9][a-z0-9-]{0,31}"
"""Lower case only: on some systems, names of folders can't differ in case alone."""
_MARK = "~"
FULL_NAME = f"(?:{TENANT_NAME}{_MARK})?{TASK_NAME}"
"""A task as its server knows it: its tenant, if it has one, and its name."""


def checked_name(name: str) -> str:
    """Return ``name``, or raise ``InvalidArgument`` if it is not a valid task name."""
    return _checked(name, TASK_NAME)


def checked_full_name(name: str) -> str:
    """Return ``name``, or raise ``InvalidArgument`` if no task of a server can have it."""
    return _checked(name, FULL_NAME)


def checked_tenant(name: str, field: str) -> str:
    """Return ``name``, or raise ``InvalidArgument`` if it is no valid name of a tenant or a token.

    Args:
        name: the name.
        field: what the name is for: ``tenant`` or ``name``, as in the error.
    """
    if not re.fullmatch(TENANT_NAME, name):
        raise InvalidArgument(
            f"{name[:100]!r} is not a valid {field}.",
            "Use 1 to 32 lower-case letters, digits and dashes. Begin with a letter or digit.",
            field=field,
        )
    return name


def full_name(tenant: str | None, name: str) -> str:
    """Return the server's name for a task.

    Args:
        tenant: whose task it is; None for the operator, who names every task in full.
        name: the tenant's name for the task.

    Raises:
        InvalidArgument: the name is not valid.
    """
    if tenant is None:
        return checked_full_name(name)
    return f"{tenant}{_MARK}{checked_name(name)}"


def tenant_of(full: str) -> str | None:
    """Return the tenant in the server's name for a task; None if the task is the operator's."""
    tenant, mark, _ = full.rpartition(_MARK)
    return tenant if mark else None


def own_name(full: str) -> str:
    """Return the tenant's name for a task."""
    return full.rpartition(_MARK)[2]


def _checked(name: str, form: str) -> str:
    if not re.fullmatch(form, name):
        raise InvalidArgument(
            f"{name[:100]!r} is not a valid task name.",
            "Use 1 to 64 letters, digits, dots, dashes and underscores.",
            field="task",
        )
    return name
