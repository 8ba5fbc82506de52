"""The ``operator`` dialect, after Operator-Use: one tool, ``browser``, with an ``action`` field.

``fields`` has the tool's fields. ``verbs`` maps its actions to the registry's actions. ``defaults``
has Operator-Use's default settings. ``control_center`` is a second tool, for the settings that an
agent may change. ``toolset`` combines these modules.
"""

from tabwarden.integrations.operator_use.dialect.toolset import OperatorTools

__all__ = ["OperatorTools"]
