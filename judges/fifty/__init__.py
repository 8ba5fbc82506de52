"""What an agent costs when fifty work on one machine: Tabwarden's server, and others.

``work`` is what each agent does; ``tools`` gives an agent its session of a tool; ``meter`` reads
what the tool's processes take; ``ring`` runs a tool; ``table`` tells what came of it.
"""
