"""Adapters for frameworks of agents: Tabwarden's tools in their form, and the state line.

A module each, to be imported when it is wanted: ``pydantic_ai``, ``openai_agents``, ``langchain``.
Each shows the state line to the model on every turn and stores it nowhere. The packages are extras:
``pip install 'tabwarden[langchain]'``.
"""
