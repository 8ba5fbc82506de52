"""Adapters that offer Tabwarden's tools and the state line to agent frameworks.

Import the module that you need: ``pydantic_ai``, ``openai_agents`` or ``langchain``. Each module
shows the state line to the model on every turn and never stores it. The frameworks are extras:
``pip install 'tabwarden[langchain]'``.

To change:

- an adapter for an agent framework: ``surfaces/frameworks/``, one module each
"""
