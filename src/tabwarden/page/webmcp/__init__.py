"""WebMCP: the tools that pages offer to agents.

A page writes all of a tool: its name, description, schema and output. So all of it is page text,
and nothing here trusts it.
"""

from tabwarden.page.webmcp.lines import tool_lines
from tabwarden.page.webmcp.offered import offered, offers_tools
from tabwarden.page.webmcp.run import LIST, PAGE_TOOL, run

__all__ = ["LIST", "PAGE_TOOL", "offered", "offers_tools", "run", "tool_lines"]
