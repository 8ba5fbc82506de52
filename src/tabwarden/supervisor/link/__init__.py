"""The link: keep a task connected to its browser.

``Reconnector`` reconnects, with pauses. ``Guard`` is a second connection that can still reach a
hung page after the first is lost.
"""

from tabwarden.supervisor.link.reconnector import Reconnector
from tabwarden.supervisor.link.standby import Standby

__all__ = ["Reconnector", "Standby"]
