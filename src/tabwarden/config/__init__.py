"""Read the configuration from a file, the environment and arguments. Later sources override earlier
ones.

Unknown keys are errors. ``--config`` or else ``TABWARDEN_CONFIG`` sets the file's path. The default
is ``config.yaml`` in the user's configuration folder. An environment variable looks like
``TABWARDEN_BROWSER__DIALOG_POLICY=auto_dismiss``.

``model.py`` and ``servers.py`` define the keys. ``layers.py`` reads each source and finds the
source of a value. ``editing.py`` changes a file and keeps its comments.

To change:

- where a configuration keeps files, profiles and states: ``folders.py``
- a launch option: ``launching.py`` (its key and check), ``endpoints/launching/options.py`` and
  ``endpoints/launching/flags.py`` (what it does), ``policy.py`` (how the key becomes the option),
  ``browser/browser.py`` and ``actions/definitions/lifecycle.py`` (Python and models),
  ``actions/callers_options.py`` (the options that a caller may choose),
  ``surfaces/command_table/options.py`` (commands); ``tests/unit/config/test_launching.py`` compares
  them all
- a configuration key: ``model.py``, or ``servers.py`` for ``server`` and ``daemon``; the schema,
  the reference and ``tabwarden config`` are generated from it
- how long a daemon or a server keeps an idle browser: ``daemon.idle_minutes`` and
  ``server.idle_minutes`` in ``servers.py``; ``surfaces/daemon/server.py`` and
  ``actions/sessions/tasks.py`` apply them
- the host names that a server accepts: ``servers.py`` (pure); ``surfaces/guard/access.py`` applies
  them
"""

from tabwarden.config.action_names import ActionName
from tabwarden.config.document import config_file
from tabwarden.config.fleet import CHECKPOINT_S, CheckpointSeconds, FleetConfig
from tabwarden.config.folders import (
    download_folder,
    output_folder,
    profile_folder,
    profiles_folder,
    restored_name,
    state_folder,
    upload_folder,
    upload_folders,
)
from tabwarden.config.keeping import checked_kept_name
from tabwarden.config.launching import (
    EMULATED,
    LAUNCH_KEYS,
    CallersProxy,
    Proxy,
    bypass_of,
    set_options,
    with_launch,
)
from tabwarden.config.loading import load_config
from tabwarden.config.model import (
    PERMISSIONS,
    BrowserConfig,
    Config,
    ControlConfig,
    Milliseconds,
    Permission,
    RecorderConfig,
)
from tabwarden.config.secrets import SECRET_NAME, SecretSource
from tabwarden.config.servers import DaemonConfig, Images, ServerConfig, is_allowed_host

__all__ = [
    "CHECKPOINT_S",
    "EMULATED",
    "LAUNCH_KEYS",
    "PERMISSIONS",
    "SECRET_NAME",
    "ActionName",
    "BrowserConfig",
    "CallersProxy",
    "CheckpointSeconds",
    "Config",
    "ControlConfig",
    "DaemonConfig",
    "FleetConfig",
    "Images",
    "Milliseconds",
    "Permission",
    "Proxy",
    "RecorderConfig",
    "SecretSource",
    "ServerConfig",
    "bypass_of",
    "checked_kept_name",
    "config_file",
    "download_folder",
    "is_allowed_host",
    "load_config",
    "output_folder",
    "profile_folder",
    "profiles_folder",
    "restored_name",
    "set_options",
    "state_folder",
    "upload_folder",
    "upload_folders",
    "with_launch",
]
