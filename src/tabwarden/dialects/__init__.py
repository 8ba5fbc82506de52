"""Dialects: toolsets with the tools of other published designs, for agents written for those
designs.

Each dialect offers the registry's actions (``tabwarden.actions``) in another form. It checks the
fields of a call, dispatches the call as an action, and answers in the design's format.
docs/dialects.md lists what is the same and what differs.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabwarden.dialects.base import Dialect
from tabwarden.dialects.hermes import HermesTools
from tabwarden.dialects.operator import OperatorTools

__all__ = ["DIALECTS", "Dialect"]

DIALECTS: Mapping[str, Dialect] = {"operator": OperatorTools(), "hermes": HermesTools()}
"""Maps each value of ``--dialect`` to its dialect."""
