"""Measures the cost per agent with fifty agents on one machine, for Tabwarden's server and other
tools.

``work`` has each agent's work, ``tools`` opens an agent's session with a tool, ``meter`` reads the
resource use of the tool's processes, ``ring`` runs a tool, and ``table`` formats the results.
"""
