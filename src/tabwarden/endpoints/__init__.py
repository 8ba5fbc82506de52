"""Endpoints: how to get a wire.

Find the browsers of this system and those that work among them (``find_browsers``, ``choose``),
launch one so that it ends with us however we end (``launch``), attach to one that runs already
(``open_endpoint``) or to a hosted one (``remote/``), or bring one onto a bare system (``install``,
``ensure``). ``endpoint_of`` tells which an address means. What travels over the wire is no concern
of this room: it asks one question, to know that somebody answers.
"""

from tabwarden.endpoints.address import Address
from tabwarden.endpoints.attach import AttachedEndpoint, open_endpoint
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.discover import Candidate
from tabwarden.endpoints.endpoint import (
    Endpoint,
    LaunchEndpoint,
    OpenedEndpoint,
    UrlEndpoint,
)
from tabwarden.endpoints.flags import sandbox_is_impossible, shm_is_small
from tabwarden.endpoints.install import InstallReport, Progress, Try, ensure, install
from tabwarden.endpoints.launch import launch
from tabwarden.endpoints.launched import LaunchedBrowser
from tabwarden.endpoints.options import BrowserKind, LaunchOptions, Transport
from tabwarden.endpoints.probe import Found, choose, find_browsers, none_works, would_choose
from tabwarden.endpoints.probe_cache import Answer, ProbeCache
from tabwarden.endpoints.profile_lock import check_profile
from tabwarden.endpoints.remedy import browser_command
from tabwarden.endpoints.remote import PROVIDERS, RemoteEndpoint
from tabwarden.endpoints.schemes import endpoint_of
from tabwarden.endpoints.scratch import Leftover, find_leftovers, scratch_base

__all__ = [
    "PROVIDERS",
    "Address",
    "Answer",
    "AttachedEndpoint",
    "BrowserKind",
    "Candidate",
    "Capabilities",
    "Endpoint",
    "Found",
    "InstallReport",
    "LaunchEndpoint",
    "LaunchOptions",
    "LaunchedBrowser",
    "Leftover",
    "OpenedEndpoint",
    "ProbeCache",
    "Progress",
    "RemoteEndpoint",
    "Transport",
    "Try",
    "UrlEndpoint",
    "browser_command",
    "check_profile",
    "choose",
    "endpoint_of",
    "ensure",
    "find_browsers",
    "find_leftovers",
    "install",
    "launch",
    "none_works",
    "open_endpoint",
    "sandbox_is_impossible",
    "scratch_base",
    "shm_is_small",
    "would_choose",
]
