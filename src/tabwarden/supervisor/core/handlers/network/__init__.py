"""Network: the log of requests, routes, and the network policy, as far as the machine applies it.

``log`` (with ``messages``) reads the events of the Network domain, which ``events`` declares.
``requests`` gets the requests that the browser intercepts: the dialog bridge's (``dialogs``), those
that a route takes (``routes``), and documents, which the policy may refuse (``outgoing``).

To change:

- what the network log keeps of a request: ``supervisor/core/handlers/network/``: ``events.py`` has
  the fields of the events, ``log.py`` and ``messages.py`` keep them; ``page/logs/one_request.py``
  shows them; ``recording/har.py`` writes them
- what a route does with a request: ``routes.py`` (pure) decides; ``page/routing/`` checks and lists
  routes; ``requests.py`` beside it sends the answers
"""

from tabwarden.supervisor.core.handlers.network import log, messages, outgoing, requests, routes
from tabwarden.supervisor.core.handlers.network.outgoing import why_failed
from tabwarden.supervisor.core.handlers.network.routes import failing_route

__all__ = ["failing_route", "log", "messages", "outgoing", "requests", "routes", "why_failed"]
