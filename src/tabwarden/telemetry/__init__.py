"""Telemetry: metrics, log lines and spans about a task's browser.

Each supervisor has one ``Telemetry`` and reports each event to it with one call. ``render()``
returns the sums over all tasks for ``/metrics``; ``Browser.metrics()`` returns one task's numbers.

To change:

- a metric, a log line or a span: ``definitions.py``; ``supervisor/runtime/driver.py``
  records the notices
- which headers and fields are secret: ``redaction.py``
- the format of log lines (JSON, levels): ``surfaces/logs.py``; ``surfaces/daemon/__main__.py``
  opens the daemon's log
"""

import logging

from tabwarden.telemetry.definitions import FLEET_METRICS, METRICS, SERVER_METRICS, Metric
from tabwarden.telemetry.redaction import redacted
from tabwarden.telemetry.servers import ServerTelemetry, read_fleet_with
from tabwarden.telemetry.task import Acting, Telemetry, browser_name, task_name
from tabwarden.telemetry.totals import render

# a library must not print anything itself
logging.getLogger("tabwarden").addHandler(logging.NullHandler())

__all__ = [
    "FLEET_METRICS",
    "METRICS",
    "SERVER_METRICS",
    "Acting",
    "Metric",
    "ServerTelemetry",
    "Telemetry",
    "browser_name",
    "read_fleet_with",
    "redacted",
    "render",
    "task_name",
]
