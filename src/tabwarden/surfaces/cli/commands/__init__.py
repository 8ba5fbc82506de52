"""The commands that click runs. Each has a module, which is imported when the command runs."""
