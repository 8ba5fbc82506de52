"""The link: keep a task connected to its browser.

``Reconnector`` restores a lost connection. ``Standby`` opens a second connection (the guard), which
keeps native dialogs open while the first connection is lost.
"""

from tabwarden.supervisor.link.reconnector import Reconnector
from tabwarden.supervisor.link.standby import Standby

__all__ = ["Reconnector", "Standby"]
