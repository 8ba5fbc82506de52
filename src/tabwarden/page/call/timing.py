"""Time limits of this package, with reasons."""

from tabwarden.page.recovery import OVERDUE_S

STORM_S = 10.0
"""If a page opens several dialogs within this time, it will probably open more."""
ADDRESS_MS = 250.0
"""How long a new document may take to report its URL."""
FOCUS_MS = 100.0
"""How long the page may take to report the focused element."""
BEGIN_MS = 50.0
"""How long an input waits for a busy page to start observing the input's effect."""
REST_MS = 20
"""After an input, a page rests when nothing has changed for this long: a bit more than a frame."""
QUIET_MS = 80
"""A page is at rest when nothing has changed for this long."""
CALM_MS = 250
"""A web application that renders its page part by part is at rest after this time."""
SETTLE_MS = 1_000
"""If a page never stops changing (a clock, a video), read it after this time."""
UNCHANGED_MS = 150
"""If an input has changed nothing by then, it probably has no effect."""
LATE_MS = 400
"""How long after a key press or a hover a list or a menu may still appear."""
DRAWN_MS = 5_000
"""How long a web application may take to render itself after its page has loaded."""
SCRIPTED_MS = 700
"""How long a web application may take to render itself if its page has only a few inline
scripts."""
BUSY_MS = 1_000.0
"""How long a page may take to report how much it shows while its application is starting."""
STATUS_MS = 300.0
"""How long a new document may take to report its kind, if no action waits for it to render."""
OWN_WORLD_MS = 200.0
"""How long a command in the page's main world may take. A limit is needed because the page's
scripts can block that world forever."""
GLANCE_MS = 40.0
"""The pause between two checks of a changing page."""
ARMING_MS = 50.0
"""How long to wait for the debugger, which starts within 2 ms unless the page is busy. If it has
not started, a dialog in a busy page waits in a request instead."""
SET_UP_MS = OVERDUE_S * 1000 + 500.0
"""If setting up a tab takes longer, check the tab for a hang."""
FLUSH_MS = 250.0
"""How long a page may take to deliver its queued events."""
REQUESTS_MS = 1_500.0
"""How long an action waits for the requests that it began. Most logins get a response within a
second."""
SHOWS_MS = 120.0
"""How long a page may take to show the response to a request."""
EARLIER_MS = 5.0
"""A page may show a response this long before we receive the event that the request has
finished."""
LISTENERS_S = 1.0
"""How long it may take to inject the walker into all documents of a tab."""
UNCOVERED_MS = 300.0
"""A page that was painted for the first time accepts input after this time."""
NAVIGATION_MS = 5_000.0
"""How long an action waits for the navigation that it started."""
ANSWER_MS = 200.0
"""How long a dialog may take to close after the dialog policy answered it."""
