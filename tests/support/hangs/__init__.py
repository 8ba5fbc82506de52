"""The corpus of hangs: whatever holds up a call, as data; what judges the recovery.

One file a family; ``hang`` says what one is; ``stage`` serves them, sets one up in a tab, and sees
how its call ends.
"""

from support.hangs.floods import FLOODS
from support.hangs.handlers import HANDLERS
from support.hangs.hang import Costs, Hang, Scene
from support.hangs.loading import LOADING
from support.hangs.prompts import PROMPTS
from support.hangs.restless import RESTLESS
from support.hangs.scripts import SCRIPTS
from support.hangs.sharing import SHARING
from support.hangs.walks import WALKS

__all__ = ["FAMILIES", "HANGS", "Costs", "Hang", "Scene"]

FAMILIES = {
    "scripts": SCRIPTS,
    "handlers": HANDLERS,
    "walks": WALKS,
    "loading": LOADING,
    "restless": RESTLESS,
    "sharing": SHARING,
    "floods": FLOODS,
    "prompts": PROMPTS,
}
HANGS = tuple(hang for family in FAMILIES.values() for hang in family)
