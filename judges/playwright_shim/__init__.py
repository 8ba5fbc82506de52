"""Objects with Playwright's interface, based on ``tabwarden.Browser``, for Playwright's own tests.

``judges/judge_playwright.py`` replaces Playwright with them. Each method is one call, or a
few calls, of Tabwarden's public API. If the API has no such call, the method ends the test as "not
expressible" (``outside.py``): the shim never imitates a feature.
"""

import sys
from types import ModuleType

# A checkout is not built, so its package lacks the file with its version.
_version = ModuleType("playwright._repo_version")
_version.version = "0"  # type: ignore[attr-defined]
sys.modules.setdefault(_version.__name__, _version)
