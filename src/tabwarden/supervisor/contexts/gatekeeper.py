"""The gatekeeper: decides about the egress proxy's connections by the current state."""

from __future__ import annotations

from collections.abc import Callable

from tabwarden.egress.addresses import Address
from tabwarden.egress.gate import Gate, Why
from tabwarden.egress.origins import Place


class GateKeeper:
    """A ``Judge`` (``egress/proxy.py``) that always uses the current gate, which may change.

    Args:
        gate: returns the current gate.
    """

    def __init__(self, gate: Callable[[], Gate]) -> None:
        self._gate = gate

    def refuses_name(self, place: Place) -> Why | None:
        """See ``Judge``."""
        return self._gate().refuses_name(place)

    def refuses_address(self, place: Place, address: Address) -> Why | None:
        """See ``Judge``."""
        return self._gate().refuses_address(place, address)
