"""Check that the configuration is valid."""

from __future__ import annotations

import os
import shlex

from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient


def check_configuration(patient: Patient) -> list[Finding]:
    """Report the error that every command gets when it reads the configuration."""
    name, fault = "configuration", patient.fault
    if fault is not None:
        field = str(fault.data.get("field", "config"))
        if field.upper().startswith("TABWARDEN_"):
            command = f"unset {field}"
        elif "variable TABWARDEN_" in fault.hint:
            command = f"unset {fault.hint.partition('variable ')[2].rstrip('.')}"
        elif field == "config" or "://" in field:
            command = f'"${{EDITOR:-vi}}" {shlex.quote(str(patient.file))}'
        else:
            at = f" --config {shlex.quote(str(patient.file))}"
            command = f"tabwarden config unset {shlex.quote(field)}{at}"
        message = f"{fault.message} {fault.hint} The other checks use the defaults."
        return [
            Finding(check=name, status="problem", message=message, command=command, data=fault.data)
        ]
    there = os.path.isfile(patient.file)
    words = str(patient.file) if there else f"{patient.file} does not exist. Defaults apply."
    data = {"path": str(patient.file), "exists": there}
    if not patient.config.browser.enabled:
        return [
            Finding(
                check=name,
                status="warning",
                message="browser.enabled is off: Tabwarden offers no tools and refuses every call.",
                command="tabwarden config set browser.enabled true",
                data=data,
            )
        ]
    return [Finding(check=name, status="ok", message=words, data=data)]
