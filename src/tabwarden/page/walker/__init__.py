"""The walker: Tabwarden's JavaScript in each frame's isolated world, and the code that calls it.

``js/`` contains the walker's ES modules, and ``tools/bundle_walker.py`` joins them into
``walker.bundle.js``. ``worlds`` injects the bundle and calls functions that ``js/walker.js``
exports. ``walk_records`` decodes the result of a walk.

To change:

- roles, names and states of elements: ``js/accessibility/`` computes them; ``js/outline/`` selects
  the ones to show
- how much of a virtual table or list is in the page, and the rows and cells of a scraped table:
  ``js/accessibility/parts.js``; ``js/capture/tables.js``
- content that people see although the page marks it as hidden, and vice versa:
  ``js/dom/left_behind.js`` (after a closed dialog), ``js/geometry/clipping.js`` (folded panels),
  ``js/geometry/drawn_checks.js``
- another part of the walker: its module in ``js/``; ``LAYERS`` in ``tools/bundle_walker.py``
  describes each folder and its allowed imports; ``js/walker.js`` exports the functions that Python
  may call; then run ``make generate``
- how the walker sends an outline to Python: ``js/outline/columns.js`` writes the columns, and
  ``walk_records.py`` reads them
- which element a ref means after a re-render: ``js/find/heal.js``; decision 0014 gives the reasons
- how a trace identifies an element: ``js/find/locators.js`` has the kinds of locators and their
  order; ``page/elements/locators.py`` requests them; ``page/elements/selectors.py`` parses them as
  selectors
"""

from tabwarden.page.walker.click_listeners import ClickListeners, listeners_of
from tabwarden.page.walker.document_kinds import DocumentKind, document_kind, unlock_pdfs
from tabwarden.page.walker.walk_records import Layers, Nodes, Props, decode
from tabwarden.page.walker.worlds import (
    WalkerFailed,
    WorldGone,
    Worlds,
    call_walker,
    command_for,
    element,
    frame_not_found,
    start,
    value_of,
)

__all__ = [
    "ClickListeners",
    "DocumentKind",
    "Layers",
    "Nodes",
    "Props",
    "WalkerFailed",
    "WorldGone",
    "Worlds",
    "call_walker",
    "command_for",
    "decode",
    "document_kind",
    "element",
    "frame_not_found",
    "listeners_of",
    "start",
    "unlock_pdfs",
    "value_of",
]
