"""The time constants of the screencast."""

MAX_FPS = 15.0
"""The highest rate of pictures. More would cost the browser time, and look hardly better."""
SETTLED_S = 0.15
"""If no picture arrives for this long after a quick sequence of pictures, ask for one more. The
browser drops pictures while earlier ones are not acknowledged, and perhaps the last one too."""
COVERED_S = 0.5
"""After something was covered, the browser may take pictures from before for this long."""
LONGEST_WAY_S = 2.0
"""A picture is at most this long on its way to us. If it seems longer, the browser's clock is
behind ours."""
