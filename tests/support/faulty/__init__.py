"""A relay between Tabwarden and a real Chromium that injects scripted faults."""

from __future__ import annotations

from support.faulty.faults import (
    Answer,
    Cut,
    Delay,
    Drop,
    Duplicate,
    Fault,
    Garble,
    Overtake,
    Refuse,
    refuse_domain,
)
from support.faulty.pipe import FaultyPipe
from support.faulty.relay import FaultyRelay

__all__ = [
    "Answer",
    "Cut",
    "Delay",
    "Drop",
    "Duplicate",
    "Fault",
    "FaultyPipe",
    "FaultyRelay",
    "Garble",
    "Overtake",
    "Refuse",
    "refuse_domain",
]
