"""The bundle's entry point: the MCP server, also for a host that gives no arguments."""

import sys

from tabwarden.surfaces.cli.entry import main

if not sys.argv[1:]:
    sys.argv.append("mcp")
main()
