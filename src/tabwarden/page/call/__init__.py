"""Calls: how every action runs.

``perform`` prepares a tab and runs the action until it ends, its deadline passes or something
blocks the page. Then it waits for the action's effects and reports whether the page navigated.

To change:

- which conditions let an action start at once: ``conditions.py``; if one is not met, ``act.py`` and
  ``ready.py`` prepare the tab first
- what a new document is: its status, its kind, whether it is drawn: ``new_document.py``;
  ``page/walker/document_kinds.py`` and ``page/walker/js/document/kind.js`` have the kinds
"""

from tabwarden.page.call.act import (
    Body,
    answer_hint,
    but_rescue,
    interrupted,
    or_rescued,
    outcome_of,
    perform,
    perform_without_page,
    to_its_end,
    value_without_page,
)
from tabwarden.page.call.after import Before, navigation_since, place_of
from tabwarden.page.call.arguments import (
    between,
    checked_url,
    coordinate,
    local_path,
    one_of,
    target_of,
    within,
)
from tabwarden.page.call.conditions import hold_in, hold_of
from tabwarden.page.call.covered import (
    check_arrival,
    covered_line,
    is_covered,
    note_arrival,
    refuse_if_covered,
)
from tabwarden.page.call.effects import continued, hear_more
from tabwarden.page.call.hidden_target import hidden_target
from tabwarden.page.call.instrumented import instrumented
from tabwarden.page.call.load_failed import load_failed
from tabwarden.page.call.named_place import name_place, reason_of, refuse_named
from tabwarden.page.call.new_document import describe_new_document
from tabwarden.page.call.open_tab import bring_to_front, open_if_none, open_tab
from tabwarden.page.call.ready import ready, until_codes_last, usable
from tabwarden.page.call.rest import BARS, bars_told, drawn, own_world_question, rest
from tabwarden.page.call.settle import answered, is_on_its_way, is_settled, settle

__all__ = [
    "BARS",
    "Before",
    "Body",
    "answer_hint",
    "answered",
    "bars_told",
    "between",
    "bring_to_front",
    "but_rescue",
    "check_arrival",
    "checked_url",
    "continued",
    "coordinate",
    "covered_line",
    "describe_new_document",
    "drawn",
    "hear_more",
    "hidden_target",
    "hold_in",
    "hold_of",
    "instrumented",
    "interrupted",
    "is_covered",
    "is_on_its_way",
    "is_settled",
    "load_failed",
    "local_path",
    "name_place",
    "navigation_since",
    "note_arrival",
    "one_of",
    "open_if_none",
    "open_tab",
    "or_rescued",
    "outcome_of",
    "own_world_question",
    "perform",
    "perform_without_page",
    "place_of",
    "ready",
    "reason_of",
    "refuse_if_covered",
    "refuse_named",
    "rest",
    "settle",
    "target_of",
    "to_its_end",
    "until_codes_last",
    "usable",
    "value_without_page",
    "within",
]
