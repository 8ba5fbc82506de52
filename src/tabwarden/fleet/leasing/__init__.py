"""Leasing: which host runs which task. This package reads no clock and does no I/O.

``LeaseTable`` has the rules that keep a task from ever having two owners
(docs/decisions/0031-leases.md). ``placement`` chooses a host; ``queue`` is fair between tenants;
reservations (in ``table``) keep places for tasks that move. ``values`` defines the messages between
hosts, clients and the coordinator.

To change:

- when a fleet's task may move to another host: ``table.py``; decision 0031 explains why
- which host gets a task: ``placement.py``; ``queue.py`` if all are full; ``table.py`` for a task
  that moves
- what a node reports about itself (memory, GPUs): ``values.py`` (``Heartbeat``);
  ``fleet/hosting/host.py`` measures it, and ``host_state.py`` keeps it; ``fleet/metrics.py`` shows
  it
"""

PUBLIC = ("host_state", "placement", "queue", "table", "values")
"""The modules that others import from."""
