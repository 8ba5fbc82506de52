"""Network: the log of requests, routes, and the part of the network policy that the state machine
applies.

``log`` (with ``messages``) reads the events of the Network domain, which ``events`` declares.
``requests`` handles the intercepted requests: requests from the dialog bridge (``dialogs``),
requests that match a route (``routes``), and documents, which the policy may refuse (``outgoing``).

To change:

- the properties of a request in the network log: ``supervisor/core/handlers/network/``:
  ``events.py`` declares the events' fields, ``log.py`` and ``messages.py`` store them;
  ``page/logs/one_request.py`` shows them; ``recording/har.py`` writes them
- what a route does with a request: ``routes.py`` (pure) decides; ``page/routing/`` checks and lists
  routes; ``requests.py`` beside it sends the responses
"""

from tabwarden.supervisor.core.handlers.network import log, messages, outgoing, requests, routes
from tabwarden.supervisor.core.handlers.network.outgoing import why_failed
from tabwarden.supervisor.core.handlers.network.routes import failing_route

__all__ = ["failing_route", "log", "messages", "outgoing", "requests", "routes", "why_failed"]
