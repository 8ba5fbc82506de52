"""The command line's daemon: one process per session that keeps a browser open between commands.

A client needs only ``call.py``, ``link.py`` and ``paths.py``, which don't import the engine.
``server.py`` is the daemon itself.
"""
