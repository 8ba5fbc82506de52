"""Find the function that runs the steps of ``Browser.batch``.

The steps are actions, and actions call the methods of ``Browser``. This package must not import the
actions, so the function is found through an entry point.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from importlib.metadata import entry_points

from tabwarden.budget import Budget
from tabwarden.errors import NotSupported
from tabwarden.page import ActionResult
from tabwarden.results import Batched

Prepare = Callable[..., Callable[[Budget], Awaitable[ActionResult[Batched]]]]


@cache
def batch_preparer() -> Prepare:
    """Return ``prepare_batch`` from ``actions/batch/running.py``.

    Raises:
        NotSupported: the installed package metadata is from an older version.
    """
    points = entry_points(group="tabwarden.actions")
    if "batch" not in points.names:
        raise NotSupported("The installed tabwarden is incomplete.", "Install tabwarden again.")
    prepare: Prepare = points["batch"].load()
    return prepare
