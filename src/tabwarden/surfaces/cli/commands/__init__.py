"""The commands that click runs. A command's module is imported when the command runs."""
