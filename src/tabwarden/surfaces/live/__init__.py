"""The live view, in which people watch a server's tasks, and handle dialogs and questions. ``live``
has the object that a server creates, and ``app`` has the routes. ``viewer`` serves one person over
``socket``; ``socket`` also adds the tasks of the user's other servers. ``static`` has the page's
files. Import from the modules. The package itself imports nothing, so that a daemon need not import
Uvicorn.

To change:

- what the live view shows of a task: ``telling.py`` and ``watched.py``; the page is in ``static/``,
  and its texts are in ``static/words.js``
- what a person may answer in the live view: ``telling.py`` (``waits_json``), ``viewer.py``,
  ``static/questions.js``
"""
