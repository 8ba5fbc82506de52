"""The walker: Tabwarden's JavaScript in each frame's isolated world, and the code that calls it.

``js/`` contains the walker's ES modules, and ``tools/bundle_walker.py`` joins them into
``walker.bundle.js``. ``worlds`` injects the bundle and calls functions that ``js/walker.js``
exports. ``walk_records`` decodes the result of a walk.

To change:

- roles, names and states of elements: ``js/accessibility/`` computes them; ``js/outline/`` selects
  the ones to show
- how much of a virtual table or list the page has; the rows and cells of a scraped table:
  ``js/accessibility/parts.js``; ``js/capture/tables.js``
- what people see although the page hides it, and the other way round: ``js/dom/left_behind.js``
  (after a closed dialog), ``js/geometry/clipping.js`` (folded panels),
  ``js/geometry/drawn_checks.js``
- another part of the walker: its module in ``js/``; ``LAYERS`` in ``tools/bundle_walker.py`` says
  what each folder has, and which it may import; ``js/walker.js`` exports the functions that Python
  may call; then run ``make generate``
- how the walker sends an outline to Python: ``js/outline/columns.js`` writes the columns, and
  ``walk_records.py`` reads them
- which element a ref means after the page rendered it again: ``js/find/heal.js``; decision 0014
  gives the reasons
- how a trace names an element: ``js/find/locators.js`` has the kinds and their order;
  ``page/elements/locators.py`` asks for them; ``page/elements/selectors.py`` reads them as
  selectors
"""

from tabwarden.page.walker.click_listeners import ClickListeners, listeners_of
from tabwarden.page.walker.document_kinds import DocumentKind, document_kind
from tabwarden.page.walker.walk_records import Layers, Nodes, Props, decode
from tabwarden.page.walker.worlds import (
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
    "value_of",
]
