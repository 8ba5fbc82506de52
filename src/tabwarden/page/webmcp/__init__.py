"""WebMCP: the tools that pages offer to agents.

A page controls everything about a tool: its name, description, schema and output. So this package
treats all of them as untrusted page text.
"""

from tabwarden.page.webmcp.offered import offers_tools, tool_lines

__all__ = ["offers_tools", "tool_lines"]
