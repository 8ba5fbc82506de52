"""The ``operator`` dialect: one tool, ``browser``, with an ``action`` field.

``fields`` has the tool's fields, ``verbs`` maps its actions to the registry's, ``defaults`` has
the design's default settings. ``toolset`` combines them.
"""

from tabwarden.dialects.operator.toolset import OperatorTools

__all__ = ["OperatorTools"]
