"""Vault: one task's secrets, which a model fills in by name and never sees.

``reading.py`` reads their values, ``totp.py`` generates one-time codes, and ``vault.py`` replaces
``{{NAME}}`` in a text and decides where each secret may be filled in.

To change:

- how a secret is entered into a field: ``vault.py`` decides, ``page/input/typing/keyboard.py`` and
  ``page/walker/js/input/insert_secret.js`` insert it
"""

from tabwarden.vault.reading import Contents, read_in_thread, read_secrets, vaulted
from tabwarden.vault.vault import Vault, names_in, placeholder, read_again

__all__ = [
    "Contents",
    "Vault",
    "names_in",
    "placeholder",
    "read_again",
    "read_in_thread",
    "read_secrets",
    "vaulted",
]
