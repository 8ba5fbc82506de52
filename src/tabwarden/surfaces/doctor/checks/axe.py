"""Check that axe-core is there, without which no accessibility audit runs."""

from __future__ import annotations

from tabwarden.budget import Budget
from tabwarden.endpoints.install import installed_axe
from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient


async def check_axe(patient: Patient, budget: Budget) -> list[Finding]:
    """Look for the configured script, or the installed one."""
    _ = budget
    named = patient.config.browser.axe
    if named is not None and not named.is_file():
        message = f"browser.axe names {named}, which does not exist, so audits fail."
        return [Finding(check="axe", status="problem", message=message)]
    found = named or installed_axe()
    if found is None:
        message = "axe-core is not installed; only audits need it."
        return [Finding(check="axe", status="skipped", message=message,
                        command="tabwarden install axe")]  # fmt: skip
    return [Finding(check="axe", status="ok", message=f"axe-core is there: {found}.")]
