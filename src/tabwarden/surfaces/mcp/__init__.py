"""The MCP surface. It serves a toolset over stdin and stdout, or over HTTP (``.http``).

To change:

- the structured content of MCP answers: ``server.py`` (``as_result``)
"""

from tabwarden.surfaces.mcp.stdio import serve_stdio

__all__ = ["serve_stdio"]
