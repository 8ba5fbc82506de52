"""The user's own Chrome: the endpoints ``auto:``.

``AutoEndpoint`` attaches to a browser in which the user has allowed remote debugging.
``DebugChromeEndpoint`` attaches to a browser whose profile is only for debugging, or launches that
browser.
"""

from tabwarden.endpoints.own_chrome.auto import AutoEndpoint, ContextMode, own_chrome_of
from tabwarden.endpoints.own_chrome.choosing import how_to_allow
from tabwarden.endpoints.own_chrome.debug_chrome import DebugChromeEndpoint
from tabwarden.endpoints.own_chrome.own_cookies import own_cookies

__all__ = [
    "AutoEndpoint",
    "ContextMode",
    "DebugChromeEndpoint",
    "how_to_allow",
    "own_chrome_of",
    "own_cookies",
]
