"""Find the browsers on this system, and start each of them once to see whether it works.

``discover`` looks for executables, ``probe`` starts them, ``probe_cache`` stores the results.
"""

from tabwarden.endpoints.finding.discover import (
    ENVIRONMENT_VARIABLE,
    Candidate,
    Installed,
    browsers_folder,
    candidates,
)
from tabwarden.endpoints.finding.probe import (
    Probed,
    choose,
    find_browsers,
    none_works,
    probe,
    would_choose,
)
from tabwarden.endpoints.finding.probe_cache import ProbeCache, ProbeOutcome

__all__ = [
    "ENVIRONMENT_VARIABLE",
    "Candidate",
    "Installed",
    "ProbeCache",
    "ProbeOutcome",
    "Probed",
    "browsers_folder",
    "candidates",
    "choose",
    "find_browsers",
    "none_works",
    "probe",
    "would_choose",
]
