"""The ``hermes`` dialect, after Hermes Agent: tools named ``browser_...`` that answer in JSON.

``fields`` has the tools' fields. ``tools`` defines each tool's action and answer. ``toolset``
combines both modules.
"""

from tabwarden.dialects.hermes.toolset import HermesTools

__all__ = ["HermesTools"]
