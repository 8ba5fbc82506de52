"""Typing into editors that render their own text and read input from a hidden field."""

from __future__ import annotations

import pytest
from support.reading import ref_of
from support.site import Site

from tabwarden.sync import Browser

# The field contains a copy of the text and the editor's caret (Monaco, Ace), or it is empty
# (CodeMirror): the editor finds the insertion point from the field's caret.
EDITOR = """<div WRAP><textarea aria-label=F STYLE></textarea></div><pre id=shown></pre><script>{
  const f = document.querySelector('textarea');
  window.model = 'one\\ntwo'; let all = false;
  const draw = () => { shown.textContent = model; f.value = COPY ? model : ''; all = false };
  f.onfocus = () => f.setSelectionRange(0, 0);
  f.onkeydown = (e) => {
    if (e.ctrlKey && e.key === 'a') { all = true; e.preventDefault() }
    if (e.key === 'Delete') { model = all ? '' : model.slice(1); draw(); e.preventDefault() }
  };
  f.oninput = ({ data }) => {
    model = all ? data : f.value.split(data)[0] + data + model;
    draw();
  };
  draw();
}</script>"""
TINY = "style='position:absolute;width:1px;height:1px;border:0;padding:0'"
CUT = "style='overflow:hidden;position:relative;width:3px;height:0'"
EDITORS = {
    "tiny, with a copy": EDITOR.replace("STYLE", TINY).replace("WRAP", "").replace("COPY", "true"),
    "cut off, empty": EDITOR.replace("STYLE", "").replace("WRAP", CUT).replace("COPY", "false"),
}
CONTEXT = """<div id=f tabindex=0 role=textbox aria-label=F style="height:2em"></div><script>{
  const context = f.editContext = new EditContext({ text: 'one\\ntwo' });
  const draw = () => { window.model = f.textContent = context.text };
  context.ontextupdate = draw;
  f.onkeydown = (e) => {
    const end = context.text.length;
    if (e.ctrlKey && e.key === 'a') context.updateSelection(0, end);
    if (e.key === 'Delete') context.updateText(context.selectionStart, context.selectionEnd, '');
    draw();
  };
  draw();
}</script>"""
ALL = {**EDITORS, "edit context": CONTEXT}


@pytest.fixture(params=ALL)
def editor(request: pytest.FixtureRequest, browser: Browser, site: Site) -> str:
    browser.goto(site.page("/", ALL[request.param]))
    return ref_of(browser.snapshot(), '"F"')


def test_type_inserts_at_the_caret_of_an_editor(editor: str, browser: Browser) -> None:
    done = browser.type("X", editor)
    assert browser.evaluate("model").value == "Xone\ntwo"
    assert "editor" in done.note


def test_type_replaces_all_text_of_an_editor(editor: str, browser: Browser) -> None:
    browser.type("three", editor, clear=True)
    assert browser.evaluate("model").value == "three"
    browser.type("", editor, clear=True)
    assert browser.evaluate("model").value == ""


def test_fill_form_replaces_all_text_of_an_editor(editor: str, browser: Browser) -> None:
    browser.fill_form([{"ref": editor, "value": "three"}])
    (filled,) = browser.fill_form([{"ref": editor, "value": "four"}]).value["filled"]
    assert browser.evaluate("model").value == "four"
    assert "editor" in filled["note"]


def test_type_does_not_treat_a_field_scrolled_out_of_view_as_an_editor(
    browser: Browser, site: Site
) -> None:
    page = """<div style="height:60px;overflow:auto"><div style="height:500px"></div>
    <textarea aria-label=F>old</textarea></div>"""
    browser.goto(site.page("/", page))
    done = browser.type("er", ref_of(browser.snapshot(), '"F"'), clear=False)
    assert (done.value, done.note) == ({"value": "older"}, "")
