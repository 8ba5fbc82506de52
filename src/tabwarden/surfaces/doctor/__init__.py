"""The doctor: what keeps Tabwarden from working here, and the command that mends it.

Each check is a file in ``checks/``. They run side by side, each within a budget of its own, and
change nothing.
"""

from tabwarden.surfaces.doctor.examine import CHECKS, examine
from tabwarden.surfaces.doctor.finding import Finding, Status, worst
from tabwarden.surfaces.doctor.patient import Patient

__all__ = ["CHECKS", "Finding", "Patient", "Status", "examine", "worst"]
