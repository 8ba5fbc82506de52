"""The demo: a scripted agent in a small shop that this package serves itself.

``story.run_demo`` is the door. ``server`` serves ``shop/``, ``chapters/`` hold what the agent
does, ``stage`` what it has at hand, ``reading`` how it finds things in a snapshot, and
``telling`` prints.
"""
