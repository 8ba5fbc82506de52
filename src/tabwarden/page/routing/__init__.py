"""Block, answer, change or delay the requests of the task's pages and workers."""

from tabwarden.page.routing.route import unmatched

__all__ = ["unmatched"]
