"""The live view: people watch the tasks of a server, and answer what waits there.

``live`` is what a server has; ``app`` has its routes. ``viewer`` serves one person over ``socket``,
which adds the tasks of the user's other servers. The page is in ``static``, as it is sent.

Import from the modules: this package imports nothing, so that a daemon needs no Uvicorn.

To change:

- what the live view shows of a task: ``telling.py`` and ``watched.py``; the page itself is in
  ``static/``, and its words are in ``static/words.js``
- what a person may answer in the live view: ``telling.py`` (``waits_json``), ``viewer.py``,
  ``static/questions.js``
"""
