"""Times of the recorder."""

PICTURE_AFTER_S = 0.15
"""How long after a call's end a picture is taken, if no other call runs then."""
BUSY_PICTURE_S = 3.0
"""How often a picture is taken while calls follow one another without a pause."""
RECORDED_AFTER_S = 0.02
RECORDED_PICTURE_S = 0.2
"""The same times for a recording that someone asked for."""
PICTURE_LOST_S = 1.0
"""After this long without its picture, the next may be tried: the page hangs or has navigated."""
VIDEO_FPS = 5
"""How many pictures per second a video has."""
INCIDENT_S = 10.0
"""Incidents of a task within this time share one file."""
LAST_PICTURE_S = 0.5
"""How long the file of an incident waits for a last picture."""
FLUSH_S = 1.0
"""How often a recording that someone asked for goes to the disk."""
CLOSE_S = 10.0
"""How long closing a browser waits until its recording is written."""
