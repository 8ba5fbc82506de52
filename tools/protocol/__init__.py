"""The modules for `tools/generate_protocol.py`, and the vendored protocol description that they
read."""
