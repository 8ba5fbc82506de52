"""The Click commands. A command's module is imported when the command runs."""
