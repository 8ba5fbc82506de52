"""Small pages with the names, roles and states that the standards give them, and their judge."""
