"""Reports of the results: JSON for comparisons, HTML for reading, Markdown for the
documentation."""

from bench.report.html import html
from bench.report.markdown import markdown, put_into
from bench.report.run import Run

__all__ = ["Run", "html", "markdown", "put_into"]
