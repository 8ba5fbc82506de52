"""The supervisor: keep the current state of a task's browser where the browser's pages can't change
it.

A pure state machine (``machine.step``, with one handler module per concern) turns CDP messages into
a frozen state. ``CDPSupervisor`` is the driver around it, and the only part that does I/O.
``SupervisorRegistry`` keeps one supervisor per task, on one event loop in one daemon thread.
"""
