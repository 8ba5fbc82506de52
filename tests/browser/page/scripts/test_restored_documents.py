"""Documents that the back-forward cache restores: their worlds are the old ones, but the browser
has forgotten its objects of them, and gives the old ids to others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.needs import needs, whole_chromium
from support.site import Site

from tabwarden.sync import Browser

pytestmark = needs("chromium")  # the headless shell has no back-forward cache

LISTENER = """<div>{0}</div><script>
  document.querySelector('div').addEventListener('click', () => 0);
</script>"""
ADD = """() => {
  const added = document.createElement('p');
  added.textContent = 'Added';
  added.addEventListener('click', () => 0);
  document.body.append(added);
}"""


@pytest.fixture(scope="module")
def whole() -> Iterator[Browser]:
    with Browser.launch(executable=whole_chromium()) as browser:
        yield browser


@pytest.fixture
def restored(whole: Browser, site: Site) -> Browser:
    """A browser whose page was restored twice, with a script's world created in between."""
    site.page("/b", LISTENER.format("There"), title="B")
    whole.goto(site.page("/a", "<a href=/b>Leave</a>" + LISTENER.format("Here"), title="A"))
    whole.evaluate("kept = 1")
    ref = whole.snapshot().ref("Leave")
    assert whole.evaluate("(link) => link.textContent", ref=ref).value == "Leave"
    whole.click(ref)
    whole.snapshot()
    whole.back()
    assert whole.evaluate("kept").value == 1, "the page was loaded again"
    whole.forward()
    whole.back()
    return whole


def test_evaluate_runs_in_a_document_restored_from_the_back_forward_cache(
    restored: Browser,
) -> None:
    restored.snapshot()
    assert restored.evaluate("document.title").value == "A"
    assert restored.evaluate("document.title", world="isolated").value == "A"


def test_evaluate_finds_the_element_of_a_ref_in_a_restored_document(restored: Browser) -> None:
    ref = restored.snapshot().ref("Leave")
    restored.find("Here")
    assert restored.evaluate("(link) => link.textContent", ref=ref).value == "Leave"


def test_wait_for_a_script_ends_in_a_restored_document(restored: Browser) -> None:
    restored.snapshot()
    assert restored.wait(script="document.title === 'A'").status == "ok"


def test_snapshot_gives_a_ref_to_an_element_added_to_a_restored_document(restored: Browser) -> None:
    restored.snapshot()
    restored.forward()
    restored.back()
    restored.evaluate(ADD)
    assert restored.snapshot().ref("Added")
