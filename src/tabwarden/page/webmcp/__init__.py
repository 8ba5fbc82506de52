"""WebMCP: the tools that pages offer to agents.

A page controls all of a tool: its name, description, schema and output. So all of it is page text,
and nothing here trusts it.
"""

from tabwarden.page.webmcp.offered import offers_tools, tool_lines

__all__ = ["offers_tools", "tool_lines"]
