"""The flight recorder for each task, the traces that it writes, and a reader for traces.

``Recorder`` listens to a task's journal and supervisor. ``Trace`` contains the recorded data, in
memory or read from a file. ``write_trace`` and ``write_har`` write a trace to a file.

To change:

- a trace's content, and the times of screenshots: ``log.py``, ``pictures.py``; ``trace.py`` and
  ``text.py`` read the trace; ``recorder.py`` decides when a file is written
- the format of a trace: ``playwright_trace.py`` for Playwright's viewer, ``records.py`` for our own
  records
"""

from tabwarden.recording.folder import traces_in
from tabwarden.recording.recorder import RECORDER, Recorder, write_har, write_trace
from tabwarden.recording.settings import trace_folder
from tabwarden.recording.text import lines_of
from tabwarden.recording.titles import error_of, remarks_of, title_of
from tabwarden.recording.trace import Trace, as_trace

__all__ = [
    "RECORDER",
    "Recorder",
    "Trace",
    "as_trace",
    "error_of",
    "lines_of",
    "remarks_of",
    "title_of",
    "trace_folder",
    "traces_in",
    "write_har",
    "write_trace",
]
