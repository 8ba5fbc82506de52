"""The client of a session's daemon. It starts fast, because it imports neither Click nor the
engine.

To change:

- the error for another product's command: ``peers.py``; ``docs/switching.md`` has the
  tables, and ``judges/switching/trials/`` the trials
- the error for another product's option: ``peers.py``
"""
