"""Vault: the secrets of one task, which a model fills in by name and never sees.

``reading.py`` gets their values, ``placeholders.py`` finds ``{{NAME}}`` in a text, ``totp.py``
makes one-time codes, and ``vault.py`` decides what may be filled in where.

To change:

- how a secret gets into a field: ``vault.py`` decides, ``page/input/typing/keyboard.py`` and
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
