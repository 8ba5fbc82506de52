"""Hosting: a node runs browsers for the tasks whose leases it holds.

``host`` keeps the leases and decides when a browser is started and closed. ``fence`` kills the
browsers whose leases have expired, even if this process hangs, because ``watchdog`` is a separate
process. ``pool`` starts browsers ahead of time. ``relay`` connects clients to browsers and moves
their files.

To change:

- what kills a browser whose lease has expired: ``fence.py``, and ``fleet/watchdog.py`` in a
  separate process, which also renews the leases on a busy machine
  (``fleet/coordinating/pulse_port.py`` replies)
"""

from tabwarden.fleet.hosting.capacity import default_max_tasks
from tabwarden.fleet.hosting.host import Host, HostSettings, LeaseSource

__all__ = ["Host", "HostSettings", "LeaseSource", "default_max_tasks"]
