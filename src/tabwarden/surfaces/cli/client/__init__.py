"""The client of a session's daemon. It starts fast: it imports neither click nor the engine."""
