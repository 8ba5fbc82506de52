"""Complete results saved to files in the output folder, under plain file names."""

from __future__ import annotations

LONG = "<h1>Start</h1>" + "<p>line of the page</p>" * 3000 + "<button>Last</button>"
