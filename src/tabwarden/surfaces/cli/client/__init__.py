"""The client of a session's daemon. It runs without importing click or the engine, so it is
fast."""
