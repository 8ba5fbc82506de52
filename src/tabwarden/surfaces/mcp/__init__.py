"""The MCP surface. It serves a toolset over stdin and stdout, or over HTTP (``.http``).

To change:

- the structured content of MCP answers: ``server.py`` (``as_result``)
"""
