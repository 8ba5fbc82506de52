"""The core: a pure state machine that turns the browser's messages into a frozen state.

``machine.step(state, input, now)`` returns the next state, the commands to send, and notices.
Nothing in this package does I/O, reads a clock or draws random numbers. ``state`` defines the
values. ``prompts`` has one file per kind of prompt, and ``handlers`` one file per concern.
"""

from tabwarden.supervisor.core import machine
from tabwarden.supervisor.core.snapshots import (
    SupervisorSnapshot,
    capped,
    frame_tree_of,
    snapshot_of,
)

__all__ = [
    "SupervisorSnapshot",
    "capped",
    "frame_tree_of",
    "machine",
    "snapshot_of",
]
