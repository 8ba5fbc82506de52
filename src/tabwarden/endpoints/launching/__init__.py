"""Start and close a browser: command-line flags, environment, process, and launch errors.

``start`` runs the whole sequence; ``launched`` is the resulting browser.
"""

from tabwarden.endpoints.launching.certificates import read_authorities
from tabwarden.endpoints.launching.flags import sandbox_is_impossible, shm_is_small
from tabwarden.endpoints.launching.launched import LaunchedBrowser
from tabwarden.endpoints.launching.options import (
    DEFAULT_WINDOW,
    BrowserKind,
    LaunchOptions,
    Transport,
)
from tabwarden.endpoints.launching.start import needed_by_browser, start_browser

__all__ = [
    "DEFAULT_WINDOW",
    "BrowserKind",
    "LaunchOptions",
    "LaunchedBrowser",
    "Transport",
    "needed_by_browser",
    "read_authorities",
    "sandbox_is_impossible",
    "shm_is_small",
    "start_browser",
]
