"""Leasing: which host runs which task. Pure: it reads no clock and does no I/O.

``LeaseTable`` has the rules that keep a task from ever having two owners
(docs/decisions/0031-leases.md). ``placement`` chooses a host; ``queue`` is fair between tenants;
``reservations`` keep places for tasks that move. ``values`` has what hosts, clients and the
coordinator say to each other.
"""

PUBLIC = ("host_state", "placement", "queue", "table", "values")
"""The modules that others import from."""
