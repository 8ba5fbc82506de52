"""The ``operator`` dialect: one tool, ``browser``, whose ``action`` says what is done.

``fields`` has what the tool takes, ``verbs`` each action of it as one of the registry's,
``defaults`` what that design takes for granted, ``toolset`` puts them together.
"""

from tabwarden.surfaces.dialects.operator.toolset import OperatorTools

__all__ = ["OperatorTools"]
