"""Other products, each with all its code in one folder. No other package imports these packages by
name.

Dialects (``tabwarden.toolsets``) and kinds of browsers (``tabwarden.kinds``) are loaded through
entry points in pyproject.toml, like those of other packages. A product's ``plugin/`` runs inside
that product; ``tabwarden plugins`` lists these folders.

To change:

- a plugin for another system: ``integrations/hermes/plugin/`` and its siblings, each with a
  README.md, whose first line ``tabwarden plugins list`` shows
"""
