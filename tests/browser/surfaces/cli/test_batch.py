"""`tabwarden batch`: one command line per step, from arguments or from stdin."""

from __future__ import annotations

import pytest
from browser.surfaces.cli.shell import Shell
from support.site import Site

PAGE = """<input aria-label=Name onkeydown="if (event.key == 'Enter') document.title = value">
<button id=add onclick="this.dataset.n = +(this.dataset.n || 0) + 1">Add</button>"""


@pytest.fixture
def page(shared_shell: Shell, site: Site) -> str:
    """The ref of the page's text field."""
    shared_shell.ok("goto", site.page("/", PAGE))
    return shared_shell.ref("Name")


@pytest.mark.long
def test_batch_command_runs_each_argument_as_a_command(shared_shell: Shell, page: str) -> None:
    said = shared_shell.ok(
        "batch",
        f"click {page}",
        f"type {page} 'Ann Lee'",
        "tabwarden key Enter",
        "eval document.title",
    )
    lines = said.splitlines()
    assert lines[0] == "batch: ok"
    assert [line.partition(":")[0] for line in lines[1:5]] == [
        "1 click", "2 type", "3 press", "4 evaluate",
    ]  # fmt: skip
    assert lines[4].endswith('value: "Ann Lee"')


@pytest.mark.parametrize(
    "stdin",
    [
        "click css=#add\n\n# twice\nclick css=#add\n",
        '[{"tool": "click", "ref": "css=button"}, {"tool": "click", "ref": "css=button"}]',
        '{"tool": "click", "ref": "css=button"}\n\n{"tool": "click", "ref": "css=button"}\n',
        "click css=#add; click 'css=#add'; eval '1; 2'",
    ],
)
def test_batch_command_runs_each_line_of_stdin_as_a_command(
    shared_shell: Shell, page: str, stdin: str
) -> None:
    shared_shell.ok("batch", stdin=stdin)
    assert shared_shell.value("document.querySelector('button').dataset.n") == "2"


def test_failed_batch_lists_the_commands_that_did_not_run(shared_shell: Shell, page: str) -> None:
    said = shared_shell.fail("batch", "click css=button", "click e999", f"click {page}", status=1)
    assert "1 click: ok" in said
    assert "2 click: error unknown_ref" in said
    assert "Not run: 3 click" in said


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("click css=button", "clik e1"), "steps[1]"),
        (("click css=button", "scroll sideways"), "steps[1].direction"),
        (("click css=button", "click"), "steps[1].ref"),
        (("click css=button", "type e1 'a"), "steps[1]"),
        (("click", "e1"), "steps[1]"),
        (("[1",), "steps"),
    ],
)
def test_batch_command_runs_no_commands_if_one_is_invalid(
    shared_shell: Shell, page: str, words: tuple[str, ...], field: str
) -> None:
    error = shared_shell.json("batch", *words)["error"]
    assert (error["code"], error["data"]["field"]) == ("invalid_argument", field)
    assert shared_shell.value("document.querySelector('button').dataset.n || null") is None


def test_batch_command_prints_a_suggestion_list_that_appears_after_its_last_key(
    shared_shell: Shell, site: Site
) -> None:
    page = """<input aria-label=City onkeydown="if (!window.due) due = setTimeout(
        () => document.body.insertAdjacentHTML('beforeend', '<ul><li>Graz</ul>'), 300)">"""
    shared_shell.ok("goto", site.page("/", page))
    assert 'listitem "Graz"' in shared_shell.ok("batch", "type css=input G --slowly")


@pytest.mark.usefixtures("page")
@pytest.mark.long
def test_tab_command_without_a_subcommand_lists_the_tabs(shared_shell: Shell) -> None:
    assert "(active)" in shared_shell.ok("tab")
    assert "1 tabs: ok" in shared_shell.ok("batch", "tab")
