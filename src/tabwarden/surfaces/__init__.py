"""The surfaces: thin interfaces to ``tabwarden.actions`` for programs and people, such as the CLI,
HTTP and MCP.
"""
