"""Each action on a Camofox server knows all parameters of its card, or refuses them."""

from __future__ import annotations

import inspect

import pytest

import tabwarden.actions  # noqa: F401 - all cards are there when it is imported
from tabwarden.integrations.camofox.browser import parameters_of
from tabwarden.integrations.camofox.ways import WAYS
from tabwarden.page.task import CARDS

METHODS = {card.method: card for card in CARDS.values()}


@pytest.mark.parametrize("method", sorted(WAYS.keys() & METHODS.keys()))
def test_each_parameter_of_an_action_is_served_or_refused(method: str) -> None:
    run, lacks = WAYS[method]
    taken = inspect.signature(run).parameters
    if any(one.kind is one.VAR_KEYWORD for one in taken.values()):
        return
    assert parameters_of(METHODS[method].run).keys() - set(lacks) - taken.keys() == set()
