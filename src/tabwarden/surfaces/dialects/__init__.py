"""Dialects: toolsets in the words of other published designs, for agents written for those.

Each is another way to say what the registry's actions do (``tabwarden.actions``): its calls are
checked against its own fields, dispatched as actions, and answered in its own shape.
docs/dialects.md says what is the same and what differs.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabwarden.surfaces.dialects.dialect import Dialect
from tabwarden.surfaces.dialects.hermes import HermesTools
from tabwarden.surfaces.dialects.operator import OperatorTools

__all__ = ["DIALECTS", "Dialect"]

DIALECTS: Mapping[str, Dialect] = {"operator": OperatorTools(), "hermes": HermesTools()}
"""By the name that ``--dialect`` takes."""
