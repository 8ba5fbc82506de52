"""Batching: find what runs the steps of ``Browser.batch``.

The steps are actions. They call the methods of ``Browser``, so they stand above it, and an entry
point names what runs them.
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
    """Return what checks a batch and returns what runs it (``actions/batch/running.py``).

    Raises:
        NotSupported: the environment knows an older version of this package.
    """
    points = entry_points(group="tabwarden.actions")
    if "batch" not in points.names:
        raise NotSupported("The installed tabwarden is incomplete.", "Install tabwarden again.")
    prepare: Prepare = points["batch"].load()
    return prepare
