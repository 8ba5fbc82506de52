"""Camofox: a browser that another program's REST server controls, as a separate kind of browser.

``CamofoxBrowser`` has the methods of ``Browser`` that the server supports. ``server`` sends
requests, ``store`` keeps the tabs and dialogs that the server reports, ``outline`` maps the
server's refs to ours, ``calls`` runs each call within its budget, and ``dialogs`` talks to our
plugin, if the server has it.

To change:

- a new kind of browser, such as WebDriver BiDi: a package beside ``integrations/camofox/``, whose
  class has ``Browser``'s interface, and an entry point in ``tabwarden.kinds``; decision 0026
  explains why
- what an action does on a Camofox server: ``ways.py``; ``server.py`` has the routes, and
  ``outline.py`` maps its snapshots
"""

from tabwarden.integrations.camofox.browser import CamofoxBrowser
from tabwarden.integrations.camofox.capabilities import PLAIN, WITH_PLUGIN

__all__ = ["PLAIN", "WITH_PLUGIN", "CamofoxBrowser"]
