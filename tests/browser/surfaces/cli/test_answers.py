"""Command output: all that an agent needs for its next step, without repetition."""

from __future__ import annotations

import re

import pytest
from browser.surfaces.cli.shell import Shell
from support.site import Site

FORM = (
    """<h1>Order</h1><label>Name <input></label><label>Mail <input></label>
<select aria-label=Size><option>Small<option>Large</select>
<button onclick="document.querySelector(`h1`).after(`Thanks`)">Buy</button>
<button onclick="document.querySelector(`h1`).insertAdjacentHTML('afterend',
  Array.from({length: 200}, (_, n) => `<hr><button>New button ${n}</button>`).join(''))"
  >More</button>
<a href=/next>Next</a><button onclick="alert('Hi')">Ask</button><button>Nothing</button>
"""
    + "<h2>A part that stays</h2>" * 600
)


@pytest.fixture
def page(shared_shell: Shell, site: Site) -> Shell:
    site.page("/next", "<h1>Next page</h1>", title="Next")
    shared_shell.ok("goto", site.page("/", FORM, title="Order"))
    return shared_shell


def lines(said: str) -> list[str]:
    """The lines without the markers around page content."""
    return [re.sub(r"\[ref=e\d+\]", "[ref]", line) for line in said.splitlines()
            if not re.match("</?page ", line)]  # fmt: skip


@pytest.mark.long
def test_goto_and_open_commands_print_the_page(shared_shell: Shell, site: Site) -> None:
    there = site.page("/", FORM, title="Order")
    for command in ("goto", "open"):
        said = lines(shared_shell.ok(command, there))
        assert said[:3] == ["goto: ok", '- heading "Order" level=1', '- textbox "Name" [ref]']
    shared_shell.ok("goto", "about:blank")
    assert lines(shared_shell.ok("goto", there))[-1].startswith("[Browser: chrome | http")
    many = site.page("/many", "".join(f"<button>Button {n}</button>" for n in range(2_000)))
    assert len(shared_shell.ok("goto", many)) < 7_000


@pytest.mark.long
def test_command_prints_only_the_page_changes(page: Shell) -> None:
    assert lines(page.ok("type", page.ref("Name"), "Ann"))[1:] == [
        '@ heading "Order"', '~ textbox "Name" [ref] active value="Ann"',
    ]  # fmt: skip
    assert lines(page.ok("click", page.ref("Buy"))) == [
        'click: ok · 1 line appeared: "Thanks"', '@ heading "Order"', '+ text "Thanks"',
    ]  # fmt: skip
    (said,) = lines(page.ok("click", page.ref("Nothing")))
    assert re.fullmatch(r"click: ok · nothing observed in \d+ ms", said)


def test_command_that_navigates_prints_the_new_page_and_its_url_once(page: Shell) -> None:
    said = lines(page.ok("click", page.ref("Next")))
    assert said[:2] == ['click: ok · went to "/next"', '- heading "Next page" level=1']
    assert said[2].endswith("/next | Next | 1 tab(s)]")
    assert "[Browser" not in page.ok("snapshot")


def test_command_shortens_a_long_list_of_changes(page: Shell) -> None:
    said = page.ok("click", page.ref("More"))
    assert len(said) < 2_600
    assert "New button 0" in said
    more = re.search(r"more=(m\d+)", said)
    assert more is not None
    assert "New button 150" in page.ok("snapshot", "--more", more[1])


@pytest.mark.long
def test_snapshot_option_changes_how_much_of_the_page_a_command_prints(page: Shell) -> None:
    assert lines(page.ok("click", page.ref("Buy"), "--snapshot", "none"))[1:] == []
    whole = lines(page.ok("click", page.ref("Buy"), "--snapshot", "full"))
    assert whole[1] == '- heading "Order" level=1'
    assert page.json("click", page.ref("Buy"))["snapshot"] is None


def test_command_prints_an_error_in_two_lines(page: Shell) -> None:
    assert len(page.fail("click", "e9999", status=1).splitlines()) == 2


def test_command_prints_a_dialog_without_the_page(page: Shell) -> None:
    said = lines(page.ok("click", page.ref("Ask")))
    assert said[0].startswith("click: interrupted")
    assert not any(line.startswith("-") for line in said)
    page.ok("dialog", "accept")


@pytest.mark.long
def test_fill_command_finds_fields_by_ref_and_by_label(page: Shell) -> None:
    said = lines(page.ok("fill", f"{page.ref('Name')}=Ann Lee", "mail=a@b.c", "Size=Large"))
    assert not any(line.startswith(("value:", "focus:")) for line in said)
    read = "[...document.querySelectorAll('input, select')].map((one) => one.value)"
    assert page.value(read) == ["Ann Lee", "a@b.c", "Large"]
    assert "No field has the label 'Fax'" in page.fail("fill", "Fax=1", status=2)
