"""Live images of a task's tabs, for people and recordings.

To change:

- the frame rate: ``screencast.py``
"""

from tabwarden.page.screencast.screencast import Picture
from tabwarden.page.screencast.screencasts import Screencasts, Subscription

__all__ = ["Picture", "Screencasts", "Subscription"]
