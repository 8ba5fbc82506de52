"""The ``hermes`` dialect: tools named ``browser_...`` that answer in JSON.

``fields`` has what each takes, ``tools`` what each does and answers, ``toolset`` puts them
together.
"""

from tabwarden.surfaces.dialects.hermes.toolset import HermesTools

__all__ = ["HermesTools"]
