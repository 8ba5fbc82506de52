"""The names of a task's browsers: ``a3``, then ``a3#2``, ``a3#3``. All are the task ``a3``.

A task's next browser may open before the last one has closed, so it needs a name of its own.
"""

from __future__ import annotations


def browser_name(task: str, number: int) -> str:
    """Return the name of a task's browser. ``number`` counts the task's browsers from 1."""
    return task if number == 1 else f"{task}#{number}"


def task_name(browser: str) -> str:
    """Return the task of a browser, as its client calls it."""
    task, _, number = browser.rpartition("#")
    return task if task and number.isdecimal() else browser
