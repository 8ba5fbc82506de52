"""The client of a fleet: gets a lease for a task, and connects to the task's browser.

``FleetEndpoint`` is an endpoint like any other, so ``Browser`` supervises the fleet's browser from
this machine. ``address`` parses ``fleet:`` addresses. ``lease_holder`` gets leases and notices when
they end. ``dialing`` connects to a host, ``relay_wire`` sends and receives CDP messages,
``RelayFiles`` in ``endpoint`` moves files, and ``coordinators`` finds the coordinator.
"""

from tabwarden.fleet.client.address import fleet_address
from tabwarden.fleet.client.coordinators import (
    CoordinatorClient,
    connect_coordinator,
    use_coordinator,
)
from tabwarden.fleet.client.endpoint import FleetEndpoint, fleet_endpoint

__all__ = [
    "CoordinatorClient",
    "FleetEndpoint",
    "connect_coordinator",
    "fleet_address",
    "fleet_endpoint",
    "use_coordinator",
]
