"""Leasing: which host runs which task. Pure: it reads no clock and does no I/O.

``LeaseTable`` has the rules that keep a task from ever having two owners
(docs/decisions/0031-leases.md). ``placement`` chooses a host; ``queue`` is fair between tenants;
reservations (in ``table``) keep places for tasks that move. ``values`` has what hosts, clients and
the coordinator say to each other.

To change:

- when a task of a fleet may go to another host: ``table.py`` (pure); decision 0031 gives the
  reasons
- which host gets a task: ``placement.py``; ``queue.py`` if all are full; ``table.py`` for a task
  that moves
- what a node reports of itself (memory, GPUs): ``values.py`` (``Heartbeat``);
  ``fleet/hosting/host.py`` measures it, and ``host_state.py`` keeps it; ``fleet/metrics.py`` shows
  it
"""

PUBLIC = ("host_state", "placement", "queue", "table", "values")
"""The modules that others import from."""
