"""The ``openclaw`` dialect: the tool ``browser`` of OpenClaw, over the control API's kinds."""

from tabwarden.integrations.openclaw.dialect.toolset import OpenClawTools

__all__ = ["OpenClawTools"]
