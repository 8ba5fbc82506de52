"""Find elements by text, role and name, selector, or by a query in words.

To change:

- how a query in words ranks elements: ``ranking.py`` (no I/O), ``query_words.py`` (no I/O)
"""

__all__ = ["find"]
