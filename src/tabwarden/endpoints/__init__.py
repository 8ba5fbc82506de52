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
from tabwarden.endpoints.install import InstallReport, Progress, Try, ensure, install
from tabwarden.endpoints.launch import launch
from tabwarden.endpoints.launched import LaunchedBrowser
from tabwarden.endpoints.options import BrowserKind, LaunchOptions, Transport
from tabwarden.endpoints.probe import Found, choose, find_browsers, none_works, would_choose
from tabwarden.endpoints.remote import PROVIDERS, RemoteEndpoint
from tabwarden.endpoints.schemes import endpoint_of

__all__ = [
    "PROVIDERS",
    "Address",
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
    "OpenedEndpoint",
    "Progress",
    "RemoteEndpoint",
    "Transport",
    "Try",
    "UrlEndpoint",
    "choose",
    "endpoint_of",
    "ensure",
    "find_browsers",
    "install",
    "launch",
    "none_works",
    "open_endpoint",
    "would_choose",
]
