"""Access control for our HTTP servers: the listening socket, the tokens, and the allowed clients.

Import from the modules. The package itself imports nothing, because importing Uvicorn would slow
down the doctor.

To change:

- how a server proves to a client that it knows the token: ``tokens.py``; the clients are
  ``integrations/hermes/plugin/connection.py`` and ``integrations/openclaw/plugin/connection.js``
- which data about a token a server stores, and which tokens the server accepts: ``token_file.py``,
  ``tokens.py``; ``access.py`` stores the ``Principal`` in the request's scope
- the access log, the probes, the limit of concurrent requests: ``middleware.py``
- how a server stops, and how long running calls may continue: ``serving.py``
"""
