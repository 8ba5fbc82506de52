"""The timeouts of this package, and the reasons for them."""

MAX_CDP_S = 300.0
"""The maximum timeout of a raw CDP call, as in Hermes Agent."""
MIN_CDP_S = 1.0
"""The minimum timeout of a raw CDP call, as in Hermes Agent."""
