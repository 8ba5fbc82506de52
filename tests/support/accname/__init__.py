"""Small pages with names, roles and states as the standards define them, and their checker."""
