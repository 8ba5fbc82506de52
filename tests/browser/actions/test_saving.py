"""Results in files: the whole result, in the output folder, under a plain name."""

from __future__ import annotations

LONG = "<h1>Start</h1>" + "<p>line of the page</p>" * 3000 + "<button>Last</button>"
