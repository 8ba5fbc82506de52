"""The methods that can be called over Ray."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest

from tabwarden.fleet.coordinating import Coordinator

pytest.importorskip("ray", reason="needs ray: make env")
from tabwarden.fleet.on_ray.actors import COORDINATOR_METHODS, CoordinatorActor
from tabwarden.fleet.on_ray.remote_coordinator import RemoteCoordinator


def public(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind, inspect.isfunction) if name[0] != "_"}


def test_ray_actor_exposes_exactly_the_remote_coordinator_methods() -> None:
    assert public(RemoteCoordinator) == COORDINATOR_METHODS
    assert public(Coordinator) > COORDINATOR_METHODS


@pytest.mark.parametrize("name", ["start", "tick", "_settle", "__init__"])
def test_ray_actor_rejects_any_other_method(name: str) -> None:
    actor: Any = None  # the method name is rejected first
    with pytest.raises(ValueError, match=name):
        asyncio.run(CoordinatorActor.call(actor, name))
