"""The actions. Each is an async function whose signature defines the schema.

To change:

- a tool's name, parameters or description: its card, or ``actions/definitions/``; for a dialect,
  its product's folder in ``integrations/``. ``actions/tool_schema.py`` shortens the schema that a
  model pays for, and lists the parameters that it sees only with a group, and ``actions/groups.py``
  has the groups of tools
"""

from tabwarden.actions.definitions import batch, lifecycle, network, prompts, storage
from tabwarden.actions.registry import register_cards

register_cards()
__all__ = [
    "batch",
    "lifecycle",
    "network",
    "prompts",
    "storage",
]
