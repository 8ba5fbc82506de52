"""The gatekeeper: applies the current network policy to the egress proxy's connections."""

from __future__ import annotations

from collections.abc import Callable

from tabwarden.egress.addresses import Address
from tabwarden.egress.gate import Gate, Why
from tabwarden.egress.origins import Place


class GateKeeper:
    """A ``Judge`` (``egress/proxy.py``) that gets the current gate for each decision."""

    def __init__(self, gate: Callable[[], Gate]) -> None:
        self._gate = gate

    @property
    def gate(self) -> Gate:
        return self._gate()

    def refuses_name(self, place: Place) -> Why | None:
        return self._gate().refuses_name(place)

    def refuses_address(self, place: Place, address: Address) -> Why | None:
        return self._gate().refuses_address(place, address)
