"""Find the browsers on this system, and start each of them once to see whether it works.

``discover`` looks for executables, ``probe`` starts them, ``probe_cache`` stores the results.
``offers`` finds the running browsers in which the user has allowed remote debugging.

To change:

- how Tabwarden finds, starts and closes browsers: ``endpoints/finding/``, ``endpoints/launching/``
"""

from tabwarden.endpoints.finding.discover import (
    BROWSERS_PATH,
    ENVIRONMENT_VARIABLE,
    ONLY_INSTALLED,
    Candidate,
    Installed,
    browsers_folder,
    candidates,
    ignored,
    only_installed,
    words_for_ignored,
)
from tabwarden.endpoints.finding.offers import (
    DEBUGGING_PORT,
    Offer,
    find_offers,
    offer_at,
    offer_in,
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
    "BROWSERS_PATH",
    "DEBUGGING_PORT",
    "ENVIRONMENT_VARIABLE",
    "ONLY_INSTALLED",
    "Candidate",
    "Installed",
    "Offer",
    "ProbeCache",
    "ProbeOutcome",
    "Probed",
    "browsers_folder",
    "candidates",
    "choose",
    "find_browsers",
    "find_offers",
    "ignored",
    "none_works",
    "offer_at",
    "offer_in",
    "only_installed",
    "probe",
    "words_for_ignored",
    "would_choose",
]
