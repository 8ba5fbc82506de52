"""The client of a session's daemon. It starts fast: it imports neither click nor the engine.

To change:

- what the error about another product's command says: ``peers.py``; ``docs/switching.md`` has the
  tables, and ``judges/switching/trials/`` the trials
- what the error about another product's option says: ``peers.py``
"""
