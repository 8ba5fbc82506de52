"""Faults on a fleet of several machines, each of which is made of namespaces: ``make fleet-chaos``.

``machines`` makes machines, each with its own processes, network and /tmp. ``cluster`` runs a
fleet on them. ``faults`` has the kinds of faults. ``agents`` works on the fleet, in a process on a
machine without browsers. ``beats`` hears the pages of the browsers. ``rounds`` brings faults and
agents together, and ``report`` says what came of them.
"""
