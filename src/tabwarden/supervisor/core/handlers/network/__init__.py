"""Network: the log of requests, routes, and the network policy, as far as the machine applies it.

``log`` (with ``messages``) reads the events of the Network domain, which ``events`` declares.
``requests`` gets the requests that the browser intercepts: the dialog bridge's (``dialogs``), those
that a route takes (``routes``), and documents, which the policy may refuse (``outgoing``).
"""

from tabwarden.supervisor.core.handlers.network import log, messages, outgoing, requests, routes
from tabwarden.supervisor.core.handlers.network.outgoing import why_failed
from tabwarden.supervisor.core.handlers.network.routes import failing_route

__all__ = ["failing_route", "log", "messages", "outgoing", "requests", "routes", "why_failed"]
