"""The task: one agent's work on one browser.

``Task`` contains the supervisor, the refs, the last outlines and the running scripts. ``result``
defines the values that actions return.

To change:

- what a task remembers about a tab: ``tab_memory.py``
- what a task stores for a package above: a ``Slot`` (``task.py``)
- which calls on a tab wait for each other: ``turns.py``; ``ActionSpec.holds`` in ``call.py`` says
  which calls later ones wait for
- the state line at the end of a result: ``Task.state_message`` in ``task.py``
- which of the agent's calls wait for a person: ``ActionSpec.touches`` in ``call.py``; calls without
  a spec await ``Control.given_back``
- what an agent reads when its node was lost: ``Task.connected`` in ``task.py``;
  ``page/checkpoint/`` restores
"""

from tabwarden.page.task.begun_requests import BegunRequests
from tabwarden.page.task.blocking import blocking_dialogs, delay_hint, is_blocked, password_prompt
from tabwarden.page.task.call import ActionSpec, Call
from tabwarden.page.task.card import (
    CARDS,
    MOST_CHARS,
    PYTHON_ONLY,
    Card,
    ForModels,
    FrameId,
    Group,
    Need,
    OneRef,
    OptionalRef,
    Overwrite,
    Run,
    X,
    Y,
    card,
    model_of,
    parameters_of,
    wrong_argument,
)
from tabwarden.page.task.effect import (
    DocumentEffect,
    above_changes,
    document_effect,
    effect_line,
    facts_of,
)
from tabwarden.page.task.effect_watch import Asked, EffectWatch
from tabwarden.page.task.inflight_scripts import RunningScript
from tabwarden.page.task.refs import Place, Ref, refs_json, stale
from tabwarden.page.task.rescue import Rescue, RescueState
from tabwarden.page.task.result import (
    ActionResult,
    Done,
    NewSinceLast,
    PageSeen,
    Seen,
    Snapshot,
    answers,
    change_json,
    dialog_json,
    download_json,
    note_json,
    tab_json,
)
from tabwarden.page.task.secret_fields import mask_secret_fields, unmask_secret_fields
from tabwarden.page.task.tab_memory import (
    BUTTONS,
    Held,
    Iframes,
    LogCursor,
    TabMemory,
    TakenPicture,
    View,
)
from tabwarden.page.task.task import Slot, Task
from tabwarden.page.task.turns import Turn, are_turns_kept, keeping_turns, turn_note
from tabwarden.page.task.values import (
    GONE,
    GROUP,
    UNDEFINED,
    did_not_parse,
    read,
    returning,
    value_of,
)

__all__ = [
    "BUTTONS",
    "CARDS",
    "GONE",
    "GROUP",
    "MOST_CHARS",
    "PYTHON_ONLY",
    "UNDEFINED",
    "ActionResult",
    "ActionSpec",
    "Asked",
    "BegunRequests",
    "Call",
    "Card",
    "DocumentEffect",
    "Done",
    "EffectWatch",
    "ForModels",
    "FrameId",
    "Group",
    "Held",
    "Iframes",
    "LogCursor",
    "Need",
    "NewSinceLast",
    "OneRef",
    "OptionalRef",
    "Overwrite",
    "PageSeen",
    "Place",
    "Ref",
    "Rescue",
    "RescueState",
    "Run",
    "RunningScript",
    "Seen",
    "Slot",
    "Snapshot",
    "TabMemory",
    "TakenPicture",
    "Task",
    "Turn",
    "View",
    "X",
    "Y",
    "above_changes",
    "answers",
    "are_turns_kept",
    "blocking_dialogs",
    "card",
    "change_json",
    "delay_hint",
    "dialog_json",
    "did_not_parse",
    "document_effect",
    "download_json",
    "effect_line",
    "facts_of",
    "is_blocked",
    "keeping_turns",
    "mask_secret_fields",
    "model_of",
    "note_json",
    "parameters_of",
    "password_prompt",
    "read",
    "refs_json",
    "returning",
    "stale",
    "tab_json",
    "turn_note",
    "unmask_secret_fields",
    "value_of",
    "wrong_argument",
]
