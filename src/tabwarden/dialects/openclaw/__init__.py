"""The ``openclaw`` dialect, and what it shares with the control API (``tabwarden serve``).

A ``Shape`` derives a request's fields from an action's parameters. ``KINDS`` has the shapes of
``act``. ``tab_names`` finds the tab that a client named.
"""

from tabwarden.dialects.openclaw.acts import WORK
from tabwarden.dialects.openclaw.answers import (
    IMPORTED,
    closing,
    imported,
    news_json,
    outcome,
    outcome_with_value,
    tabs_json,
    target_of,
)
from tabwarden.dialects.openclaw.call import Acting
from tabwarden.dialects.openclaw.demands import NoSelector
from tabwarden.dialects.openclaw.kinds import (
    BATCH,
    KINDS,
    SCRIPT_FIELDS,
    checked_act,
    kinds_without,
    runs_script,
    tools_off,
)
from tabwarden.dialects.openclaw.names import camel, camel_keys
from tabwarden.dialects.openclaw.sent import as_sent
from tabwarden.dialects.openclaw.shape import Fields, Shape, TargetId, TimeoutMs, form, shape
from tabwarden.dialects.openclaw.tab_names import (
    Labels,
    NoSuchTab,
    checked_label,
    tab_named,
    with_tabs_named,
)
from tabwarden.dialects.openclaw.toolset import OpenClawTools

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
    "OpenClawTools",
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
    "with_tabs_named",
]
