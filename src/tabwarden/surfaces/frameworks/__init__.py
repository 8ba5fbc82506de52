"""Adapters for agent frameworks: Tabwarden's tools in each framework's form, and the state line.

Import the module that you need: ``pydantic_ai``, ``openai_agents``, ``langchain``. Each shows the
state line to the model on every turn and stores it nowhere. The packages are extras:
``pip install 'tabwarden[langchain]'``.
"""
