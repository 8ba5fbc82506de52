"""Hosted browsers: one file a provider, over ``base.py``.

A provider's class says how its REST API creates, shows and releases a session; connecting,
connecting again, budgets, errors and the secrecy of keys are the base's.
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
