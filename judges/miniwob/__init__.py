"""MiniWoB++ (PyPI ``miniwob``) for Tabwarden and its rivals: ``python -m judges.miniwob``.

Oracles solve the tasks. They read only a tool's text and act through eight verbs, so a tool solves
a task if its text shows what a person sees and its actions do what a person does.
"""
