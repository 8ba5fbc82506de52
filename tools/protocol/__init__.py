"""The parts of `tools/generate_protocol.py`, and the vendored protocol description they read."""
