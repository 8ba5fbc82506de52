"""The checks, grouped by subject.

To change:

- a check of ``tabwarden doctor``: ``surfaces/doctor/checks/``; ``surfaces/doctor/examine.py`` sets
  the order
"""
