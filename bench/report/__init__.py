"""What was found as a report: JSON to compare by, HTML to read, Markdown for the documentation."""

from bench.report.html import html
from bench.report.markdown import markdown, put_into
from bench.report.run import Run

__all__ = ["Run", "html", "markdown", "put_into"]
