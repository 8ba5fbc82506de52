"""Configuration: file, environment, arguments; later wins; unknown keys are errors.

The file is ``--config``, else ``TABWARDEN_CONFIG``, else ``config.yaml`` in the user's
configuration folder. Environment: ``TABWARDEN_BROWSER__DIALOG_POLICY=auto_dismiss``.

``model.py`` is what there is to configure; ``layers.py`` what each source says, and so where a
value comes from; ``editing.py`` changes a file and keeps its comments.
"""

from tabwarden.config.document import config_file
from tabwarden.config.loading import load_config
from tabwarden.config.model import (
    ActionName,
    BrowserConfig,
    Config,
    DaemonConfig,
    Milliseconds,
    ServerConfig,
)

__all__ = [
    "ActionName",
    "BrowserConfig",
    "Config",
    "DaemonConfig",
    "Milliseconds",
    "ServerConfig",
    "config_file",
    "load_config",
]
