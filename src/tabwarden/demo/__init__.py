"""The demo: a scripted agent in a small shop, which this package serves itself.

``story.run_demo`` runs the demo. ``server`` serves ``shop/``. ``chapters/`` has the agent's steps,
and ``stage`` has the objects that the steps share. ``reading`` finds elements in a snapshot, and
``telling`` prints the output.
"""
