"""Telemetry: what a task's browser does, as numbers, log lines and spans, each recorded once.

A supervisor holds one ``Telemetry``; whoever sees a thing happen tells it there by one call.
``render()`` adds every task's numbers up for ``/metrics``, ``Browser.metrics()`` reads one task's.
"""

import logging

from tabwarden.telemetry.acting import Acting
from tabwarden.telemetry.definitions import METRICS, Metric
from tabwarden.telemetry.redaction import redacted
from tabwarden.telemetry.task import Telemetry
from tabwarden.telemetry.totals import render

logging.getLogger("tabwarden").addHandler(logging.NullHandler())  # a library prints nothing itself

__all__ = ["METRICS", "Acting", "Metric", "Telemetry", "redacted", "render"]
