"""The surfaces: thin interfaces over ``tabwarden.actions``, for programs and people."""
