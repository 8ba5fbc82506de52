"""The surfaces: the interfaces for programs and people. All are thin layers over
``tabwarden.actions``.
"""
