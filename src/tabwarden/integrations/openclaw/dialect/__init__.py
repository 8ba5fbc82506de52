"""The ``openclaw`` dialect: OpenClaw's tool ``browser``, implemented with the control API's
kinds.
"""

from tabwarden.integrations.openclaw.dialect.toolset import OpenClawTools

__all__ = ["OpenClawTools"]
