"""``python -m tabwarden``: the command line, for systems where ``tabwarden`` is not on the PATH."""

from __future__ import annotations

from tabwarden.surfaces.cli.entry import main

if __name__ == "__main__":
    main()
