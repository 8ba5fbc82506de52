"""The time constants of the live view."""

LINK_S = 300.0
"""How long a link works. A person opens it at once, or gets another one."""
LOGIN_S = 12 * 3600.0
"""How long a login works. A viewer who is connected then stays connected."""
LOOK_S = 0.5
"""How often to look for tasks that began or ended, and for servers."""
ALIVE_S = 5.0
"""How often a viewer is told that the server still works, even if nothing changes."""
OTHER_SERVERS_S = 3.0
"""How often to look for the user's other servers."""
SERVER_ANSWER_S = 3.0
"""How long another server may take to answer."""
CLOSING_S = 10.0
"""How long a client may take to close its end of a socket (Uvicorn)."""
GATHER_S = 0.04
"""How long changes are collected before a viewer is told of them."""
ANSWER_MS = 10_000.0
"""The budget of a person's answer."""
BOXES_MS = 400.0
"""How long to wait for the boxes of the elements. A page that is busy shows none."""
UPLOAD_S = 600.0
"""How long an uploaded file that nobody gave to a page is kept."""
PERMISSION_S = 120.0
"""How long the view offers to allow what a page asked for. The browser refused it at once, so the
page may ask again or not."""
