"""The daemon of the command line: one process a session, which holds its browser between commands.

``call.py``, ``link.py``, ``places.py`` and ``doors.py`` are what a client needs, and import nothing
of the engine; ``server.py`` and what it calls is the daemon itself.
"""
