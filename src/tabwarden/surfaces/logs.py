"""Log to stderr, because stdout is for results and for MCP's messages.

Each log record becomes one line: ``key=value`` pairs, or a JSON object. Secrets are masked.
"""

from __future__ import annotations

import logging
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from tabwarden.errors import InvalidArgument
from tabwarden.telemetry import redacted

if TYPE_CHECKING:
    from structlog.typing import EventDict, Processor, WrappedLogger

LogFormat = Literal["text", "json"]
_FIRST = ("timestamp", "level", "logger", "event")


def log_to_stderr(level: str, log_format: LogFormat = "text") -> None:
    """Log ``tabwarden``'s messages at ``level`` and above.

    Args:
        level: DEBUG, INFO, WARNING or ERROR.
        log_format: ``text`` for ``key=value`` lines, or ``json``.

    Raises:
        InvalidArgument: ``level`` is not a log level.
    """
    number = logging.getLevelNamesMapping().get(level.upper())
    if number is None:
        raise InvalidArgument(
            f"There is no log level {level!r}.",
            "Levels: DEBUG, INFO, WARNING, ERROR.",
            field="log_level",
        )
    handler = logging.StreamHandler()
    handler.setFormatter(_Formatter(log_format))
    logging.basicConfig(handlers=[handler])
    logging.getLogger("tabwarden").setLevel(number)


class _Formatter(logging.Formatter):
    """Imports structlog only for the first record, because most servers never log one."""

    def __init__(self, log_format: LogFormat) -> None:
        super().__init__()
        self._log_format = log_format

    @cached_property
    def _formatter(self) -> logging.Formatter:
        return _formatter(self._log_format)

    def format(self, record: logging.LogRecord) -> str:
        return self._formatter.format(record)


def _formatter(log_format: LogFormat) -> logging.Formatter:
    import structlog

    renderer: Processor = (
        structlog.processors.JSONRenderer(default=str)
        if log_format == "json"
        else structlog.processors.LogfmtRenderer(key_order=_FIRST, bool_as_flag=False)
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,  # the ID that a server assigned to the request
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _without_secrets,
            renderer,
        ],
    )


def _without_secrets(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    return {
        key: redacted(fact) if isinstance(fact, str) else fact
        for key, fact in event.items()
        if not key.startswith("_ray_")  # Ray adds its own fields to all records of the process
    }
