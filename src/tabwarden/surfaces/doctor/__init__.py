"""The doctor: find problems that keep Tabwarden from working here, and the commands that fix them.

Each check is a file in ``checks/``. They run concurrently, each with its own budget, and change
nothing.
"""

from tabwarden.surfaces.doctor.examine import CHECKS, examine
from tabwarden.surfaces.doctor.finding import Finding, Status, worst
from tabwarden.surfaces.doctor.patient import Patient

__all__ = ["CHECKS", "Finding", "Patient", "Status", "examine", "worst"]
