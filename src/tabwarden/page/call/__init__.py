"""Calls: how every action runs.

``perform`` prepares a tab and runs the action until the action finishes, its deadline passes or
something blocks the page. Then it waits for the action's effects and reports whether the page
navigated.

To change:

- which conditions let an action start at once: ``conditions.py``; if one is not met, ``act.py`` and
  ``ready.py`` prepare the tab first
- a new document's status and kind, and whether it is rendered: ``new_document.py``;
  ``page/walker/document_kinds.py`` and ``page/walker/js/document/kind.js`` determine the kind
"""

from tabwarden.page.call.act import (
    Body,
    answer_hint,
    budget_before_rescue,
    finish_action,
    interrupted_result,
    outcome_of,
    perform,
    perform_without_page,
    run_or_rescue,
    value_without_page,
)
from tabwarden.page.call.after import PageState, navigation_since, page_state_of
from tabwarden.page.call.arguments import (
    between,
    checked_url,
    coordinate,
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
from tabwarden.page.call.effects import collect_effects, document_requests, observe_further
from tabwarden.page.call.hidden_target import hidden_target
from tabwarden.page.call.instrumented import instrumented
from tabwarden.page.call.load_failed import load_failed
from tabwarden.page.call.named_place import name_place, reason_of, refusal_recorded, refuse_named
from tabwarden.page.call.new_document import describe_new_document
from tabwarden.page.call.open_tab import bring_to_front, open_if_none, open_tab
from tabwarden.page.call.ready import is_usable, until_codes_last, wait_until_ready
from tabwarden.page.call.rest import BARS, bar_sizes, own_world_question, rest, wait_until_drawn
from tabwarden.page.call.settle import answers_soon, is_on_its_way, is_settled, settle

__all__ = [
    "BARS",
    "Body",
    "PageState",
    "answer_hint",
    "answers_soon",
    "bar_sizes",
    "between",
    "bring_to_front",
    "budget_before_rescue",
    "check_arrival",
    "checked_url",
    "collect_effects",
    "coordinate",
    "covered_line",
    "describe_new_document",
    "document_requests",
    "finish_action",
    "hidden_target",
    "hold_in",
    "hold_of",
    "instrumented",
    "interrupted_result",
    "is_covered",
    "is_on_its_way",
    "is_settled",
    "is_usable",
    "load_failed",
    "name_place",
    "navigation_since",
    "note_arrival",
    "observe_further",
    "one_of",
    "open_if_none",
    "open_tab",
    "outcome_of",
    "own_world_question",
    "page_state_of",
    "perform",
    "perform_without_page",
    "reason_of",
    "refusal_recorded",
    "refuse_if_covered",
    "refuse_named",
    "rest",
    "run_or_rescue",
    "settle",
    "target_of",
    "until_codes_last",
    "value_without_page",
    "wait_until_drawn",
    "wait_until_ready",
    "within",
]
