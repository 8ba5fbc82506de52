"""The demo: a scripted agent in a small shop that this package serves itself.

``story.run_demo`` runs the demo. ``server`` serves ``shop/``. ``chapters/`` contains the agent's
steps, and ``stage`` the objects that the steps share. ``reading`` finds elements in a snapshot, and
``telling`` prints the output. ``scripted_model`` plays a model for the examples of the guides.
"""
