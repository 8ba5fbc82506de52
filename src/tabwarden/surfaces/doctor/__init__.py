"""The doctor: finds problems that keep Tabwarden from working here, and commands that fix them.

Each check is a file in ``checks/``. The checks run concurrently, each with its own budget. They
change nothing.
"""

from tabwarden.surfaces.doctor.examine import CHECKS, examine
from tabwarden.surfaces.doctor.finding import Finding, Status, worst
from tabwarden.surfaces.doctor.patient import Patient

__all__ = ["CHECKS", "Finding", "Patient", "Status", "examine", "worst"]
