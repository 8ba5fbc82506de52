"""The fleet: browsers on many machines, which agents use like browsers on one machine.

A *host* on each node runs browsers (``hosting``). One *coordinator* grants *leases*. A lease says
which host runs a task's browser, for how long, and with which generation number (``leasing``
decides, ``coordinating`` stores). A *client* supervises the browser on the agent's machine
(``client``); the host only relays messages (``relaying``). Ray starts the hosts and the
coordinator, and transports the calls between them (``on_ray``).
"""

from tabwarden.fleet.fleet import Fleet
from tabwarden.fleet.leasing.values import FleetStatus
from tabwarden.fleet.metrics import show_metrics_of

__all__ = ["Fleet", "FleetStatus", "show_metrics_of"]
