"""Access control for our HTTP servers: the listening socket, the token, and the allowed clients.

Import from the modules. This package imports nothing, because Uvicorn would slow down the doctor.

To change:

- how a server proves to a client that it knows the token: ``tokens.py``; the clients are
  ``integrations/hermes/plugin/connection.py`` and ``integrations/openclaw/plugin/connection.js``
- what a server keeps of a token, and which tokens it accepts: ``token_file.py``, ``tokens.py``;
  ``access.py`` notes the ``Principal`` in the request's scope
- the log of requests, the probes, the number of requests at once: ``middleware.py``
- how a server stops, and how long calls may go on: ``serving.py``
"""
