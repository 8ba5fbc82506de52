"""The ``hermes`` dialect: tools named ``browser_...`` that answer in JSON.

``fields`` has the tools' fields, and ``tools`` what each tool does and answers. ``toolset``
combines both modules.
"""

from tabwarden.dialects.hermes.toolset import HermesTools

__all__ = ["HermesTools"]
