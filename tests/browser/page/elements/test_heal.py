# ruff: noqa: E501 - pages, one element after the other
"""Refs of rerendered elements heal if the match is certain, and fail otherwise."""

from __future__ import annotations

import pytest
from support.reading import ref_of
from support.site import Site

from tabwarden.errors import StaleRef
from tabwarden.sync import Browser

# Each click is recorded by its row's text, the element's own text, and a marker set by the page.
TOLD = """<script>
  window.hits = [];
  addEventListener("click", (event) => {
    const at = event.composedPath()[0].closest("button, a, [onclick], input");
    hits.push([at?.dataset.mark ?? "", (at?.closest("li, tr, .row") ?? at)?.textContent.trim().replace(/\\s+/g, " ")].join("|"));
  }, true);
</script>"""
ROWS = """<ul id=list></ul><script>
  let rows = ["Ann", "Bob", "Cid"];
  function render() {
    list.innerHTML = rows.map((row) => `<li>${row} <button>Delete</button></li>`).join("");
  }
  render();
</script>"""


def hits(browser: Browser) -> list[str]:
    found: list[str] = browser.evaluate("window.hits").value
    return found


def refs_named(browser: Browser, name: str) -> list[str]:
    return [ref for ref, about in browser.snapshot().refs.items() if about["name"] == name]


def test_click_finds_a_rerendered_button_by_its_name(browser: Browser, site: Site) -> None:
    browser.goto(
        site.page("/", f"{TOLD}<main id=app><button>Save</button><button>Send</button></main>")
    )
    ref = ref_of(browser.snapshot(), '"Save"')
    browser.evaluate("app.innerHTML = app.innerHTML")
    done = browser.click(ref)
    assert done.note == f"{ref} was re-rendered. Tabwarden found the new element by its name."
    assert hits(browser) == ["|Save"]
    # The ref keeps referring to the new one: no second note, and the next snapshot has its number.
    assert browser.click(ref).note == ""
    assert ref_of(browser.snapshot(), '"Save"') == ref


def test_healed_ref_resolves_to_the_new_node(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<main id=app><button>Save</button></main>"))
    ref = ref_of(browser.snapshot(), '"Save"')
    browser.evaluate("(el) => el.textContent", ref)
    before = browser.snapshot().refs[ref]["backendDOMNodeId"]
    browser.evaluate("app.innerHTML = app.innerHTML; app.firstChild.dataset.mark = 'new'")
    done = browser.evaluate("(el) => el.dataset.mark", ref)
    assert done.value == "new"
    assert "was re-rendered" in done.note
    after = browser.snapshot().refs[ref]["backendDOMNodeId"]
    assert None not in (before, after)
    assert after != before
    marked = browser.evaluate("(el) => el.dataset.mark", backend_node_id=after)
    assert marked.value == "new"


def test_snapshot_with_full_refs_returns_the_node_of_each_ref(browser: Browser, site: Site) -> None:
    site.page("/inner", "<button>Pay</button>")
    page = f"<button>Buy</button><button>Buy</button><iframe src='{site.there}/inner'></iframe>"
    browser.goto(site.page("/", page))
    plain = browser.snapshot().refs
    assert {about["backendDOMNodeId"] for about in plain.values()} == {None}
    assert [about["nth"] for about in plain.values() if about["name"] == "Buy"] == [0, 1]
    known = browser.snapshot(refs="full").refs
    assert known.keys() == plain.keys()
    for ref, about in known.items():
        found = browser.evaluate(
            "(el) => el.localName + el.textContent",
            backend_node_id=about["backendDOMNodeId"],
            frame_id=about["frame_id"],
        )
        assert found.value == browser.evaluate("(el) => el.localName + el.textContent", ref).value
    assert browser.snapshot().refs == known


@pytest.mark.parametrize(
    "anew",
    [
        "render()",
        "list.innerHTML = ''; render()",
        "list.replaceChildren(); setTimeout(render)",
        "rows = ['Cid', 'Ann', 'Bob']; render()",
        "const one = list.children[1]; const other = one.cloneNode(true); one.remove(); list.append(other)",
        "list.children[1].outerHTML = list.children[1].outerHTML",
        "rows.push('Dan'); render()",
    ],
)
def test_click_heals_a_buttons_ref_by_the_text_in_its_row(
    browser: Browser, site: Site, anew: str
) -> None:
    browser.goto(site.page("/", TOLD + ROWS))
    bob = refs_named(browser, "Delete")[1]
    browser.evaluate(anew)
    browser.evaluate("new Promise((done) => setTimeout(() => setTimeout(done)))")
    browser.click(bob)
    assert hits(browser) == ["|Bob Delete"]


@pytest.mark.parametrize(
    "anew",
    [
        "rows.splice(1, 1); render()",
        "rows[1] = 'Zoe'; render()",
        "rows = ['Bob', 'Bob', 'Cid']; render()",
        "rows.shift(); render()",  # it is unknown whether Bob was Ann before
        "list.children[1].remove()",
        "list.children[1].remove(); list.append(list.children[0].cloneNode(true))",
        # A copy that was beside it is another element.
        "list.append(list.children[1].cloneNode(true)); list.children[1].remove()",
        # The page's URL changed, so similar elements may be other ones.
        "history.pushState(null, '', '/other'); render()",
    ],
)
@pytest.mark.threat
def test_click_refuses_an_uncertain_match_and_suggests_the_nearest_elements(
    browser: Browser, site: Site, anew: str
) -> None:
    browser.goto(site.page("/", TOLD + ROWS))
    bob = refs_named(browser, "Delete")[1]
    browser.evaluate(anew)
    with pytest.raises(StaleRef, match="was button 'Delete', and it is no longer") as caught:
        browser.click(bob)
    assert hits(browser) == []
    near = caught.value.data["nearest"]
    assert 1 <= len(near) <= 3
    assert {one["name"] for one in near} == {"Delete"}
    if "Bob" in browser.evaluate("list.textContent").value:
        assert near[0]["beside"] == "Bob"
    browser.click(near[0]["ref"])
    assert len(hits(browser)) == 1


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("<td>Tea {n}<td>{n}.50<td><button>Buy</button>", "Tea {n}, {n}.50"),
        ("<td><a href=/{n}>Tea {n}</a><td><button>Buy</button><button>Edit</button>",
         "Tea {n}, Edit"),
        ("<td><button>Buy</button>", ""),
    ],
)  # fmt: skip
def test_stale_ref_error_describes_the_nearest_elements_by_their_table_rows(
    row: str, told: str, browser: Browser, site: Site
) -> None:
    page = f"""<h1>Shop</h1><table id=t></table><script>
    const render = (rows) => {{ t.innerHTML = rows.map((n) =>
      `<tr>{row}`.replaceAll("{{n}}", n)).join("") }};
    render([1, 2, 3])</script>"""
    browser.goto(site.page("/", page))
    second = refs_named(browser, "Buy")[1]
    browser.evaluate("render([1, 3])")
    with pytest.raises(StaleRef) as caught:
        browser.click(second)
    said = [one["beside"] for one in caught.value.data["nearest"]]
    assert said == [told.replace("{n}", "1"), told.replace("{n}", "3")]


def test_click_refuses_identical_buttons_without_surrounding_text(
    browser: Browser, site: Site
) -> None:
    browser.goto(
        site.page("/", TOLD + "<div id=app><button>Delete</button><button>Delete</button></div>")
    )
    first = refs_named(browser, "Delete")[0]
    browser.evaluate("app.innerHTML = app.innerHTML")
    with pytest.raises(StaleRef):
        browser.click(first)
    assert hits(browser) == []


def test_click_refuses_a_replaced_button_that_has_an_identical_twin(
    browser: Browser, site: Site
) -> None:
    browser.goto(
        site.page("/", TOLD + "<div id=app><button>Delete</button><button>Delete</button></div>")
    )
    first = refs_named(browser, "Delete")[0]
    browser.evaluate("app.firstChild.remove(); app.append(app.firstChild.cloneNode(true))")
    with pytest.raises(StaleRef):
        browser.click(first)


def test_click_refuses_another_cards_button_at_the_same_position(
    browser: Browser, site: Site
) -> None:
    """One card at a time, with identical buttons: a click would like the wrong person."""
    page = (
        TOLD
        + """<div id=deck></div><script>
      const show = (name) => { deck.innerHTML =
        `<div class=card><h2>${name}</h2><div><button>Like</button><button>Pass</button></div></div>` };
      show("Ann");
    </script>"""
    )
    browser.goto(site.page("/", page))
    like = ref_of(browser.snapshot(), '"Like"')
    browser.evaluate("show('Ann')")
    assert "re-rendered" in browser.click(like).note
    browser.evaluate("show('Bob')")
    with pytest.raises(StaleRef):
        browser.click(like)
    browser.evaluate("show('Ann')")
    with pytest.raises(StaleRef):  # this Ann may have been Bob
        browser.click(like)


@pytest.mark.parametrize("key", ["data-id", "id", "onclick", "name"])
def test_click_refuses_a_button_whose_identifying_attribute_changed(
    browser: Browser, site: Site, key: str
) -> None:
    browser.goto(site.page("/", f"{TOLD}<main id=app><button {key}=x1>Buy</button></main>"))
    ref = ref_of(browser.snapshot(), '"Buy"')
    browser.evaluate(f"app.innerHTML = '<button {key}=x1>Buy</button>'")
    browser.click(ref)
    browser.evaluate(f"app.innerHTML = '<button {key}=x2>Buy</button>'")
    with pytest.raises(StaleRef):
        browser.click(ref)


def test_refs_heal_to_keyed_rows_after_another_row_was_removed(
    browser: Browser, site: Site
) -> None:
    page = (
        TOLD
        + """<ul id=list></ul><script>
      let rows = [[71, "Ann"], [72, "Bob"], [73, "Cid"]];
      const render = () => { list.innerHTML = rows.map(([id, row]) =>
        `<li data-id=${id}>${row} <button>Delete</button></li>`).join("") };
      render();
    </script>"""
    )
    browser.goto(site.page("/", page))
    ann, bob, cid = refs_named(browser, "Delete")
    browser.evaluate("rows.shift(); render()")
    with pytest.raises(StaleRef):
        browser.click(ann)
    browser.click(bob)
    browser.click(cid)
    assert hits(browser) == ["|Bob Delete", "|Cid Delete"]
    # Keys that are only positions move to other rows, which must not be treated as the same.
    browser.goto(
        site.page(
            "/", page.replace("data-id=${id}", "data-id=${rows.findIndex((r) => r[0] === id)}")
        )
    )
    ann, bob, cid = refs_named(browser, "Delete")
    browser.evaluate("rows.shift(); render()")
    for ref in (ann, bob, cid):
        with pytest.raises(StaleRef):
            browser.click(ref)


def test_ref_heals_although_a_count_on_a_neighboring_button_changed(
    browser: Browser, site: Site
) -> None:
    page = (
        TOLD
        + """<main id=app></main><script>
      let likes = 3;
      const render = () => { app.innerHTML = `<button>Like (${likes})</button><button>Share</button>` };
      render();
    </script>"""
    )
    browser.goto(site.page("/", page))
    share = ref_of(browser.snapshot(), '"Share"')
    browser.evaluate("likes++; render()")
    browser.click(share)
    assert hits(browser) == ["|Share"]


def test_refs_survive_repeated_renders_of_a_list(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", TOLD + ROWS))
    ann, bob, _ = refs_named(browser, "Delete")
    browser.evaluate("render(); render()")
    browser.click(bob)
    browser.evaluate("rows.unshift('Dan'); render(); rows.reverse(); render(); render()")
    browser.click(bob)
    browser.click(ann)
    assert hits(browser) == ["|Bob Delete", "|Bob Delete", "|Ann Delete"]


@pytest.mark.parametrize(
    "between",
    [
        # A copy that was beside it takes its place.
        "rows.splice(1, 0, 'Ann'); list.append(list.firstChild.cloneNode(true)); list.firstChild.remove();"
        " rows.splice(0, 1); render()",
        # Another row gets its name.
        "rows = ['Eve', 'Bob', 'Cid']; render(); rows = ['Ann', 'Bob', 'Cid']; render()",
        # For a moment there were two of them.
        "rows.push('Ann'); render(); rows.shift(); render()",
    ],
)
def test_ref_does_not_move_to_another_row_over_several_renders(
    browser: Browser, site: Site, between: str
) -> None:
    browser.goto(site.page("/", TOLD + ROWS))
    ann = refs_named(browser, "Delete")[0]
    browser.evaluate(between)
    with pytest.raises(StaleRef):
        browser.click(ann)


def test_click_refuses_a_numbered_element_that_now_has_another_elements_name(
    browser: Browser, site: Site
) -> None:
    """Found by bench/witness.py: one was removed, another got its name, a third was added."""
    page = (
        TOLD
        + """<main id=app></main><script>
      const render = (...numbers) => { app.innerHTML =
        numbers.map(([number, mark]) => `<button data-mark=${mark}>Item ${number}</button>`).join("") };
      render([1, "x"], [2, "y"]);
    </script>"""
    )
    browser.goto(site.page("/", page))
    one = ref_of(browser.snapshot(), '"Item 1"')
    browser.evaluate("render([1, 'y'], [3, 'z'])")
    with pytest.raises(StaleRef):
        browser.click(one)


def test_old_ref_does_not_heal_to_an_element_that_a_newer_snapshot_lists(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", TOLD + "<main id=app><button>Save</button></main>"))
    old = ref_of(browser.snapshot(), '"Save"')
    browser.evaluate("app.innerHTML = app.innerHTML")
    new = ref_of(browser.snapshot(), '"Save"')
    with pytest.raises(StaleRef) as caught:
        browser.click(old)
    assert [one["ref"] for one in caught.value.data["nearest"]] == [new]


def test_click_after_a_reload_refuses_old_refs_and_suggests_the_nearest_element(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", TOLD + "<main id=app><button>Save</button></main>"))
    ref = ref_of(browser.snapshot(), '"Save"')
    browser.reload()
    with pytest.raises(StaleRef, match="closed or reloaded") as caught:
        browser.click(ref)
    (near,) = caught.value.data["nearest"]
    assert near["ref"] != ref
    browser.click(near["ref"])
    assert hits(browser) == ["|Save"]


def test_element_reinserted_after_its_ref_healed_elsewhere_gets_a_new_ref(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<main id=app><button>Save</button></main>"))
    ref = ref_of(browser.snapshot(), '"Save"')
    browser.evaluate("window.kept = app.firstChild; app.innerHTML = app.innerHTML")
    browser.hover(ref)
    browser.evaluate("app.append(kept); kept.dataset.mark = 'old'")
    saves = refs_named(browser, "Save")
    assert saves[0] == ref
    assert int(saves[1][1:]) > int(ref[1:])
    assert browser.evaluate("(el) => el.dataset.mark", saves[1]).value == "old"
    assert browser.evaluate("(el) => el.dataset.mark ?? ''", ref).value == ""


def test_every_action_heals_stale_refs(browser: Browser, site: Site) -> None:
    page = """<main id=app><input aria-label=Name><select aria-label=Size><option>S<option>M</select>
    <label><input type=checkbox>Wrap</label><div id=box style="height:50px;overflow:auto" tabindex=0 role=button>
    <p style="height:500px">Long</p></div><button>Go</button></main>"""
    browser.goto(site.page("/", page))

    def again(*names: str) -> list[str]:
        seen = browser.snapshot()
        browser.evaluate("app.innerHTML = app.innerHTML")
        return [ref_of(seen, f'"{name}"') for name in names]

    (name,) = again("Name")
    assert browser.type("Ann", name).value == {"value": "Ann"}
    (size,) = again("Size")
    assert browser.select(size, labels="M").value == {"selected": ["M"]}
    name, wrap = again("Name", "Wrap")
    filled = browser.fill_form([{"ref": name, "value": "Bob"}, {"ref": wrap, "value": True}])
    assert filled.value["filled"] == [{"ref": name, "value": "Bob"}, {"ref": wrap, "value": True}]
    assert name in filled.note
    assert wrap in filled.note
    (go,) = again("Go")
    assert "re-rendered" in browser.screenshot(ref=go).note
    name, go = again("Name", "Go")
    dragged = browser.drag(go, name)
    assert name in dragged.note
    assert go in dragged.note
    (go,) = again("Go")
    assert "re-rendered" in browser.scroll("down", 10, go).note


def test_refs_heal_in_frames_and_shadow_roots(browser: Browser, site: Site) -> None:
    inner = """<div id=host></div><script>
      const root = host.attachShadow({ mode: "open" });
      const render = () => { root.innerHTML = "<section><button onclick='top.postMessage(1, \\"*\\")'>Pay</button></section>" };
      render();
    </script>"""
    site.page("/inner", inner)
    browser.goto(site.page("/", f"<iframe src='{site.there}/inner' width=300 height=200></iframe>"))
    seen = browser.snapshot()
    pay = ref_of(seen, '"Pay"')
    browser.evaluate("render()", frame_id=seen.refs[pay]["frame_id"])
    assert "re-rendered" in browser.click(pay).note


def test_refs_heal_to_rows_in_shadow_roots_only_if_their_text_is_unchanged(
    browser: Browser, site: Site
) -> None:
    page = (
        TOLD
        + """<div id=list></div><script>
      customElements.define("x-row", class extends HTMLElement {
        connectedCallback() {
          if (!this.shadowRoot) this.attachShadow({ mode: "open" }).innerHTML =
            `<div class=row><b>${names.shift()}</b> <button>Delete</button></div>`;
        }
      });
      let names = ["Ann"];
      list.innerHTML = "<x-row></x-row>";
    </script>"""
    )
    browser.goto(site.page("/", page))
    ref = ref_of(browser.snapshot(), '"Delete"')
    browser.evaluate("names = ['Ann']; list.innerHTML = '<x-row></x-row>'")
    assert "re-rendered" in browser.click(ref).note
    browser.evaluate("names = ['Zoe']; list.innerHTML = '<x-row></x-row>'")
    with pytest.raises(StaleRef):
        browser.click(ref)


def test_ref_stops_healing_after_thousands_of_renders(browser: Browser, site: Site) -> None:
    """Removed elements are remembered up to a limit; beyond it nothing heals."""
    browser.goto(site.page("/", TOLD + "<main id=app><button>Save</button></main>"))
    ref = ref_of(browser.snapshot(), '"Save"')
    browser.evaluate("for (let i = 0; i < 3000; i++) { app.innerHTML = app.innerHTML }")
    with pytest.raises(StaleRef):
        browser.click(ref)
