"""The MCP surface. It serves a toolset over stdin and stdout, or over HTTP (``.http``)."""

from tabwarden.surfaces.mcp.stdio import serve_stdio

__all__ = ["serve_stdio"]
