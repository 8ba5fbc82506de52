"""Check whether the user's own Chrome offers debugging. Never connect: Chrome would ask."""

from __future__ import annotations

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import find_offers
from tabwarden.endpoints.own_chrome import how_to_allow
from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient

_CHECK = "own_chrome"


async def check_own_chrome(patient: Patient, budget: Budget) -> list[Finding]:
    """Look where ``tabwarden connect`` looks."""
    _ = patient
    offers = await find_offers(budget.child(headroom_ms=500))
    found = [offer for offer in offers if offer.stands]
    if not found:
        words = f"No browser of yours offers debugging to `tabwarden connect`. {how_to_allow()}"
        return [Finding(check=_CHECK, status="skipped", message=words)]
    listed = ", ".join(f"{offer.name} (port {offer.port})" for offer in found)
    data = {"browsers": [f"auto:{offer.name}" for offer in found]}
    if len(found) > 1:
        words = f"{listed} offer debugging. Name one: `tabwarden connect auto:{found[0].name}`."
        return [Finding(check=_CHECK, status="ok", message=words, data=data)]
    words = f"{listed} offers debugging: `tabwarden connect`."
    return [Finding(check=_CHECK, status="ok", message=words, data=data)]
