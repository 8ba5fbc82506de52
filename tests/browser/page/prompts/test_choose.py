"""The choose action rejects invalid choices before it does anything."""

from __future__ import annotations

import pytest
from support.eventually import eventually
from support.site import Site

from tabwarden.errors import InvalidArgument
from tabwarden.sync import Browser


def test_choose_rejects_a_prompt_without_choices(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", '<input type=file id=f><button onclick="f.click()">Pick</button>'))
    with pytest.raises(InvalidArgument, match="No prompt with choices is waiting"):
        browser.choose("Ada")
    browser.click(browser.snapshot().ref("Pick"))
    assert eventually(lambda: browser.state.file_choosers)
    [chooser] = browser.state.file_choosers
    with pytest.raises(InvalidArgument, match=f"{chooser.id} offers no choices") as refused:
        browser.choose(cancel=True, prompt_id=chooser.id)
    assert "upload" in refused.value.hint
    assert [one.id for one in browser.state.file_choosers] == [chooser.id]


@pytest.mark.parametrize("given", [{}, {"choice": "Ada", "cancel": True}])
def test_choose_requires_either_a_choice_or_cancel(
    browser: Browser, given: dict[str, str | bool]
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        browser.choose(**given)  # type: ignore[arg-type]
    assert refused.value.data["field"] == "choice"
