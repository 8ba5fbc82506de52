"""The fleet: browsers on many machines, for the same agents as on one machine.

A *host* on each node runs browsers (``hosting``). One *coordinator* gives *leases*: which host runs
a task's browser, for how long, and as which generation (``leasing`` decides, ``coordinating``
stores). A *client* supervises the browser on the agent's machine (``client``); the host only relays
(``relaying``). Ray starts hosts and the coordinator, and carries their calls (``on_ray``).
"""

from tabwarden.fleet.fleet import Fleet
from tabwarden.fleet.leasing.values import FleetStatus
from tabwarden.fleet.metrics import show_metrics_of

__all__ = ["Fleet", "FleetStatus", "show_metrics_of"]
