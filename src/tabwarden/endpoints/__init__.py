"""Endpoints: ways to open a wire to a browser.

``find_browsers`` and ``choose`` find browsers on this system. ``launch`` starts a browser, which
ends when this process ends. ``open_endpoint`` attaches to a running browser, and ``remote/`` to a
hosted browser. ``install`` and ``find_or_install`` download a browser. ``endpoint_of`` maps an
address to its endpoint. The only CDP commands of this package check that the browser answers, and
read the cookies of a person's own browser.
"""

from tabwarden.endpoints.address import Address, split_scheme
from tabwarden.endpoints.attaching import AttachedEndpoint, may_run_here, open_endpoint
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.endpoint import (
    BrowserFiles,
    Endpoint,
    LaunchEndpoint,
    MovableEndpoint,
    OpenedEndpoint,
    UrlEndpoint,
    endpoint_for,
    is_ours,
)
from tabwarden.endpoints.finding import (
    Candidate,
    Offer,
    ProbeCache,
    Probed,
    ProbeOutcome,
    choose,
    find_browsers,
    find_offers,
    ignored,
    none_works,
    only_installed,
    words_for_ignored,
    would_choose,
)
from tabwarden.endpoints.install import (
    AXE_VERSION,
    InstallReport,
    Progress,
    Try,
    find_or_install,
    install,
    install_axe,
    installed_axe,
)
from tabwarden.endpoints.launch import launch
from tabwarden.endpoints.launching import (
    DEFAULT_WINDOW,
    BrowserKind,
    LaunchedBrowser,
    LaunchOptions,
    Transport,
    read_authorities,
    sandbox_is_impossible,
    shm_is_small,
    start_browser,
)
from tabwarden.endpoints.own_chrome import (
    AutoEndpoint,
    ContextMode,
    DebugChromeEndpoint,
    how_to_allow,
    own_cookies,
)
from tabwarden.endpoints.profiles import (
    Leftover,
    NamedProfile,
    Scratch,
    check_profile,
    find_leftovers,
    named_profiles,
    remove_profile,
    scratch_base,
    sweep_hidden_leftovers,
)
from tabwarden.endpoints.remedy import browser_command, own_program
from tabwarden.endpoints.remote import PROVIDERS, RemoteEndpoint
from tabwarden.endpoints.schemes import endpoint_of, other_kind

__all__ = [
    "AXE_VERSION",
    "DEFAULT_WINDOW",
    "PROVIDERS",
    "Address",
    "AttachedEndpoint",
    "AutoEndpoint",
    "BrowserFiles",
    "BrowserKind",
    "Candidate",
    "Capabilities",
    "ContextMode",
    "DebugChromeEndpoint",
    "Endpoint",
    "InstallReport",
    "LaunchEndpoint",
    "LaunchOptions",
    "LaunchedBrowser",
    "Leftover",
    "MovableEndpoint",
    "NamedProfile",
    "Offer",
    "OpenedEndpoint",
    "ProbeCache",
    "ProbeOutcome",
    "Probed",
    "Progress",
    "RemoteEndpoint",
    "Scratch",
    "Transport",
    "Try",
    "UrlEndpoint",
    "browser_command",
    "check_profile",
    "choose",
    "endpoint_for",
    "endpoint_of",
    "find_browsers",
    "find_leftovers",
    "find_offers",
    "find_or_install",
    "how_to_allow",
    "ignored",
    "install",
    "install_axe",
    "installed_axe",
    "is_ours",
    "launch",
    "may_run_here",
    "named_profiles",
    "none_works",
    "only_installed",
    "open_endpoint",
    "other_kind",
    "own_cookies",
    "own_program",
    "read_authorities",
    "remove_profile",
    "sandbox_is_impossible",
    "scratch_base",
    "shm_is_small",
    "split_scheme",
    "start_browser",
    "sweep_hidden_leftovers",
    "words_for_ignored",
    "would_choose",
]
