"""Tabwarden: the browser an AI agent can't get stuck in.

``Browser`` is the async API; ``tabwarden.sync.Browser`` is the sync one. Every call returns within
its time budget. ``Browser.state`` lists the dialogs, prompts and hangs that block a page. Names are
imported on first use, so that the command-line client never loads the engine.

To change:

- the skill for agents with a shell: ``tools/skill.md``
- a threat and the protection against it: a row in ``docs/security.md``, with its test
  (``@pytest.mark.threat``)
- the container image, Compose, systemd, KubeRay: ``deploy/``; ``tests/docs/test_deploy.py`` and
  ``tests/docs/test_kuberay.py`` check it
- scripts that reproduce surprising behavior of other libraries, to run by hand: ``findings/``, with
  a list in its README; CI does not run them
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would take longer than the rest of this module
if TYPE_CHECKING:
    from tabwarden.browser import Browser
    from tabwarden.budget import Budget
    from tabwarden.config import BrowserConfig, Config, load_config
    from tabwarden.errors import TabwardenError
    from tabwarden.page import ActionResult, Screenshot, Snapshot
    from tabwarden.supervisor.core import SupervisorSnapshot
    from tabwarden.supervisor.runtime import CDPSupervisor, SupervisorRegistry

    __version__: str

__all__ = [
    "ActionResult",
    "Browser",
    "BrowserConfig",
    "Budget",
    "CDPSupervisor",
    "Config",
    "Screenshot",
    "Snapshot",
    "SupervisorRegistry",
    "SupervisorSnapshot",
    "TabwardenError",
    "__version__",
    "load_config",
]

_HOMES = {
    "ActionResult": "tabwarden.page",
    "Browser": "tabwarden.browser",
    "BrowserConfig": "tabwarden.config",
    "Budget": "tabwarden.budget",
    "CDPSupervisor": "tabwarden.supervisor.runtime",
    "Config": "tabwarden.config",
    "Screenshot": "tabwarden.page",
    "Snapshot": "tabwarden.page",
    "SupervisorRegistry": "tabwarden.supervisor.runtime",
    "SupervisorSnapshot": "tabwarden.supervisor.core",
    "TabwardenError": "tabwarden.errors",
    "load_config": "tabwarden.config",
}


def __getattr__(name: str) -> object:
    value: object
    if name == "__version__":
        from importlib.metadata import version

        value = version("tabwarden")
    elif name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
