"""The contract of the control API (``tabwarden serve``), as OpenClaw published it.

A ``Shape`` derives a request's fields from an action's parameters. ``KINDS`` contains the shapes of
the ``act`` request. ``tab_names`` finds the tab that a client named.
"""

from tabwarden.control_api.acts import WORK
from tabwarden.control_api.answers import (
    IMPORTED,
    closing,
    imported,
    news_json,
    outcome,
    outcome_with_value,
    tabs_json,
    target_of,
)
from tabwarden.control_api.call import Acting
from tabwarden.control_api.demands import NoSelector
from tabwarden.control_api.kinds import (
    BATCH,
    KINDS,
    SCRIPT_FIELDS,
    checked_act,
    kinds_without,
    runs_script,
    tools_off,
)
from tabwarden.control_api.names import camel, camel_keys
from tabwarden.control_api.sent import as_sent
from tabwarden.control_api.shape import Fields, Shape, TargetId, TimeoutMs, form, shape
from tabwarden.control_api.tab_names import (
    Labels,
    NoSuchTab,
    checked_label,
    tab_named,
    with_tab,
    with_tabs_named,
)

__all__ = [
    "BATCH",
    "IMPORTED",
    "KINDS",
    "SCRIPT_FIELDS",
    "WORK",
    "Acting",
    "Fields",
    "Labels",
    "NoSelector",
    "NoSuchTab",
    "Shape",
    "TargetId",
    "TimeoutMs",
    "as_sent",
    "camel",
    "camel_keys",
    "checked_act",
    "checked_label",
    "closing",
    "form",
    "imported",
    "kinds_without",
    "news_json",
    "outcome",
    "outcome_with_value",
    "runs_script",
    "shape",
    "tab_named",
    "tabs_json",
    "target_of",
    "tools_off",
    "with_tab",
    "with_tabs_named",
]
