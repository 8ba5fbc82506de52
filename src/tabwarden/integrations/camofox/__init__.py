"""Camofox: a browser that another program's REST server drives, as a kind of its own.

``CamofoxBrowser`` has the methods of ``Browser`` that the server can do. ``server`` asks it,
``store`` keeps the tabs and dialogs that it tells of, ``outline`` maps its refs to ours, ``calls``
runs each call in time, and ``dialogs`` talks to our plugin, if the server has it.

To change:

- a new kind of browser, such as WebDriver BiDi: a package beside ``integrations/camofox/``, whose
  class has ``Browser``'s interface, and an entry point of ``tabwarden.kinds``; decision 0026 gives
  the reasons
- what an action does on a Camofox server: ``ways.py``; ``server.py`` has the routes, and
  ``outline.py`` maps its snapshots
"""

from tabwarden.integrations.camofox.browser import CamofoxBrowser
from tabwarden.integrations.camofox.capabilities import PLAIN, WITH_PLUGIN

__all__ = ["PLAIN", "WITH_PLUGIN", "CamofoxBrowser"]
