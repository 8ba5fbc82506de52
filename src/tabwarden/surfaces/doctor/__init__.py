"""The doctor: finds problems that keep Tabwarden from working on this system, and the commands that
fix them.

The checks (``checks/``) run concurrently, each with its own budget. They change nothing.
"""

from tabwarden.surfaces.doctor.examine import CHECKS, examine
from tabwarden.surfaces.doctor.finding import Finding, Patient, Status, worst

__all__ = ["CHECKS", "Finding", "Patient", "Status", "examine", "worst"]
