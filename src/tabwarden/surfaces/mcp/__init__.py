"""The MCP surface. It serves a toolset over stdin and stdout, or over HTTP (``.http``).

To change:

- the structured content of MCP answers: ``calls.py`` (``result_json``)
- what a host gets before the server is imported: ``front.py`` (saved responses) and ``early.py``
  (the first calls); decision 0034 gives the reasons
"""
