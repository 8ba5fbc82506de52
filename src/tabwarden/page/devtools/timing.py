"""Time limits of this package, with reasons."""

SETTLE_S = 3.0
"""How long to record after a page has loaded: paints and shifts come later."""
LONGEST_SETTLE_S = 60.0
LOAD_SHARE = 0.5
"""The share of the call's time for loading the page. The rest is for a rescue and the trace."""
ALIVE_MS = 2_000.0
"""A page that does not answer for so long after the measurement hangs."""
RESCUE_SHARE = 0.5
"""The share of the remaining time that a rescue gets before the trace is fetched."""
NAMING_MS = 2_000.0
"""How long the page may take to name the elements of the findings."""
READING_SHARE = 0.8
"""The share of the remaining time for fetching the trace. What has come by then is saved."""
SAMPLES = 20
"""How often to measure the memory in the given time."""
SHORTEST_SAMPLE_S = 0.25
"""But not more often than this."""
