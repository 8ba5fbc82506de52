"""Configuration from a file, the environment and arguments. The last of these wins.

Unknown keys are errors. The file is named by ``--config``, else by ``TABWARDEN_CONFIG``, else it is
``config.yaml`` in the user's configuration folder. A variable looks like
``TABWARDEN_BROWSER__DIALOG_POLICY=auto_dismiss``.

``model.py`` defines the keys. ``layers.py`` reads each source and knows where a value comes from.
``editing.py`` changes a file and keeps its comments.
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
