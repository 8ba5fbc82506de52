"""The ``hermes`` dialect, after Hermes Agent: tools named ``browser_...`` that return JSON.

``fields`` has the tools' fields. ``tools`` defines each tool's action and result. ``toolset``
combines both modules. ``masking`` hides secrets, and ``values`` has Hermes' formats for JavaScript
values; ``tabwarden.integrations.hermes.api`` uses both too.

To change:

- a secret that the ``hermes`` dialect masks: ``masking.py``
"""

from tabwarden.integrations.hermes.dialect.masking import masked, masked_cdp
from tabwarden.integrations.hermes.dialect.toolset import HermesTools
from tabwarden.integrations.hermes.dialect.values import RuntimeValue, runtime_value

__all__ = ["HermesTools", "RuntimeValue", "masked", "masked_cdp", "runtime_value"]
