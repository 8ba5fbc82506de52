"""The MCP surface: each action a tool."""

from tabwarden.surfaces.mcp.server import make_server, serve_stdio

__all__ = ["make_server", "serve_stdio"]
