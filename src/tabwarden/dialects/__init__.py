"""Dialects: toolsets with the tools of other published designs, for agents that expect those tools.

A dialect checks the fields of a call, runs the call as an action of the registry
(``tabwarden.actions``), and answers in the format of the original design. docs/dialects.md lists
what differs.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabwarden.actions import Toolset
from tabwarden.dialects.hermes import HermesTools
from tabwarden.dialects.openclaw import OpenClawTools
from tabwarden.dialects.operator import OperatorTools

__all__ = ["DIALECTS"]

DIALECTS: Mapping[str, Toolset] = {
    "operator": OperatorTools(),
    "hermes": HermesTools(),
    "openclaw": OpenClawTools(),
}
"""Maps each value of ``--dialect`` to its dialect."""
