"""The daemon of the command line: one process per session, which keeps the browser open between
commands.

A client needs only ``call.py``, ``link.py``, ``paths.py`` and ``doors.py``, which import nothing
of the engine. ``server.py`` and its imports are the daemon itself.
"""
