"""Browser context leases beside a model: held, abandoned and forgotten contexts."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from support.fuzzing import searched

from tabwarden.supervisor.contexts import leases
from tabwarden.supervisor.contexts.leases import Lease

CONTEXTS = st.sampled_from(["AAAAAAAA", "BBBBBBBB", "C-0.C_0.CC"])
NO_NAMES = st.sampled_from(["../../../etc", "", "short", "a" * 129, "AAAAAAAA/", "AAAA\nAAAA", "."])
OLD_S, ANCIENT_S = 60.0, 8 * 24 * 3600.0


class Leases(RuleBasedStateMachine):
    """``held``: the living; ``left``: by those that ended, and how old."""

    def __init__(self) -> None:
        super().__init__()
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name) / "contexts"
        self.patched = patch.object(leases, "_folder", lambda: self.folder)
        self.patched.start()
        self.held: dict[str, Lease] = {}
        self.left: dict[str, float] = {}

    def teardown(self) -> None:
        for lease in self.held.values():
            lease.end()
        self.patched.stop()
        self.place.cleanup()

    @rule(context=CONTEXTS)
    def take(self, context: str) -> None:
        if context not in self.held:
            lease = Lease.take(context)
            assert lease is not None
            self.held[context] = lease
            self.left.pop(context, None)

    @rule(context=CONTEXTS)
    def end(self, context: str) -> None:
        if context in self.held:
            self.held.pop(context).end()

    @rule(context=CONTEXTS, age_s=st.sampled_from([0.0, OLD_S, ANCIENT_S]))
    def leave(self, context: str, age_s: float) -> None:
        if context in self.held:
            lease = self.held.pop(context)
            lease.leave()
            lease.leave()
            os.utime(self.folder / context, (time.time() - age_s,) * 2)
            self.left[context] = age_s

    @rule(context=CONTEXTS)
    def forget(self, context: str) -> None:
        if context not in self.held:
            leases.forget(context)
            self.left.pop(context, None)

    @rule()
    def look_for_the_abandoned(self) -> None:
        found = leases.abandoned()
        assert sorted(found) == sorted(one for one, age in self.left.items() if age == OLD_S)
        self.left = {one: age for one, age in self.left.items() if age != ANCIENT_S}

    @rule(name=NO_NAMES)
    def a_browser_makes_up_a_name(self, name: str) -> None:
        assert Lease.take(name) is None
        assert not leases.is_held(name)
        leases.forget(name)

    @invariant()
    def those_that_live_are_held_and_nobody_else(self) -> None:
        for context in ("AAAAAAAA", "BBBBBBBB", "C-0.C_0.CC"):
            assert leases.is_held(context) is (context in self.held)
        there = {path.name for path in self.folder.iterdir()} if self.folder.exists() else set()
        assert there == set(self.held) | set(self.left)
        assert {path.name for path in Path(self.place.name).iterdir()} <= {"contexts"}


TestLeases = Leases.TestCase
TestLeases.settings = searched(30, steps=30)
