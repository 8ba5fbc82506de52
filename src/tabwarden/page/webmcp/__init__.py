"""The tools that pages offer to agents (WebMCP).

A page controls the name, description, schema and output of a tool. So this package treats all of
them as untrusted page text.
"""

from tabwarden.page.webmcp.offered import offers_tools, tool_lines

__all__ = ["offers_tools", "tool_lines"]
