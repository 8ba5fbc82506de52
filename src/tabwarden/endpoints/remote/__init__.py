"""Hosted browsers: one file per provider, based on ``base.py``.

A provider's class creates, looks up and releases sessions through the provider's REST API. The base
class handles connections, reconnections, time budgets and errors, and keeps API keys secret.

To change:

- a provider of hosted browsers (``acme:``): one file beside ``steel.py``, and its class in
  ``PROVIDERS``
"""

from tabwarden.endpoints.remote.anchor import AnchorEndpoint
from tabwarden.endpoints.remote.base import RemoteEndpoint, RemoteSession, with_query
from tabwarden.endpoints.remote.browser_use import BrowserUseEndpoint
from tabwarden.endpoints.remote.browserbase import BrowserbaseEndpoint
from tabwarden.endpoints.remote.browserless import BrowserlessEndpoint
from tabwarden.endpoints.remote.hyperbrowser import HyperbrowserEndpoint
from tabwarden.endpoints.remote.kernel import KernelEndpoint
from tabwarden.endpoints.remote.options import Option
from tabwarden.endpoints.remote.steel import SteelEndpoint

__all__ = ["PROVIDERS", "Option", "RemoteEndpoint", "RemoteSession", "with_query"]

PROVIDERS: dict[str, type[RemoteEndpoint]] = {
    provider.scheme: provider
    for provider in (
        BrowserbaseEndpoint,
        BrowserlessEndpoint,
        SteelEndpoint,
        KernelEndpoint,
        HyperbrowserEndpoint,
        AnchorEndpoint,
        BrowserUseEndpoint,
    )
}
