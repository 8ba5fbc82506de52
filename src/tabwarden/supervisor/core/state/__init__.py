"""The core's values: the frozen state, the inputs and the notices.

Each module defines the values for one concern. The logic is in ``handlers``.

To change:

- a field of a download: ``Download`` in ``downloads.py``; its JSON type in ``results.py``;
  ``download_json`` in ``page/task/result.py`` writes it
"""

PUBLIC = (
    "answers",
    "changes",
    "dialog_values",
    "downloads",
    "emulation",
    "inputs",
    "network_log",
    "notes",
    "notices",
    "passkeys",
    "policy",
    "prompts",
    "routes",
    "state",
    "tabs",
    "transition",
    "values",
)
"""The modules of this package. Other packages import them directly."""
