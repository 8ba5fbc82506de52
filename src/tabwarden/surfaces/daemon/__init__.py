"""The command line's daemon: one process per session that keeps a browser open between commands.

A client needs only ``call.py``, ``link.py`` and ``paths.py``, which don't import the engine.
``server.py`` is the daemon itself.
"""

FIRST_ANSWER_S = 5.0
"""How long a running daemon may take to send its first message, which doesn't depend on a page."""
START_S = 30.0
"""The default budget for starting a daemon and its browser."""
ANSWER_GRACE_S = 0.8
"""How long a client waits for a response after the budget has expired."""
CANCEL_S = 3.0
"""How long the daemon may take to respond to a canceled call."""
