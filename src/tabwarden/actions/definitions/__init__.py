"""The actions. Each is an async function whose signature defines the schema."""

# The import order of these modules is the order in which a model sees the tools.
# isort: off
from tabwarden.actions.definitions import pages
from tabwarden.actions.definitions import mouse_keyboard
from tabwarden.actions.definitions import pointing
from tabwarden.actions.definitions import controls
from tabwarden.actions.definitions import forms
from tabwarden.actions.definitions import batch
from tabwarden.actions.definitions import viewing
from tabwarden.actions.definitions import finding
from tabwarden.actions.definitions import prompts
from tabwarden.actions.definitions import files
from tabwarden.actions.definitions import scripts
from tabwarden.actions.definitions import storage
from tabwarden.actions.definitions import emulation
from tabwarden.actions.definitions import network
from tabwarden.actions.definitions import init_script
from tabwarden.actions.definitions import recording
from tabwarden.actions.definitions import devtools
from tabwarden.actions.definitions import lifecycle

# isort: on
__all__ = [
    "batch",
    "controls",
    "devtools",
    "emulation",
    "files",
    "finding",
    "forms",
    "init_script",
    "lifecycle",
    "mouse_keyboard",
    "network",
    "pages",
    "pointing",
    "prompts",
    "recording",
    "scripts",
    "storage",
    "viewing",
]
