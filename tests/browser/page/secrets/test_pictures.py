"""No image shows a secret: fields show dots, and text is covered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.eventually import eventually
from support.pixels import colours
from support.site import Site

from tabwarden.config import load_config
from tabwarden.errors import Denied
from tabwarden.page import Screenshot
from tabwarden.page.screencast import Picture
from tabwarden.sync import Browser

SECRET = "MMMMMMMM"
PAGE = """<style>body{margin:0;font:40px/50px monospace;color:#00f;background:#fff}
p,input,select,shop-word{position:absolute;left:0;margin:0;border:0;padding:0;font:inherit;color:inherit;
background:#fff;width:600px;height:50px;outline:0}::placeholder{color:#00f;opacity:1}</style>
<p style=top:0><b>MMMM</b><i>MMMM MMMMMMMM</i></p>
<p style="top:50px;text-transform:uppercase">mmmmmmmm</p>
<shop-word style=top:100px></shop-word><input style=top:150px value=MMMMMMMM>
<input style=top:200px placeholder=MMMMMMMM><select style=top:250px><option>MMMMMMMM</select>
<iframe srcdoc="<p style='margin:0;font:40px/50px monospace;color:#00f'>MMMMMMMM"
style="position:absolute;top:300px;left:0;border:0;width:600px;height:70px"></iframe>
<p style=top:380px id=kept>safe</p><p style=top:430px id=late></p><script>
const root = document.querySelector('shop-word').attachShadow({mode: 'closed'});
root.innerHTML = '<span>MMMMMMMM</span>';
</script>"""
KEPT, LATE = 380, 430
ROWS = (0, 50, 100, 150, 200, 250, 308, KEPT, LATE)


@pytest.fixture
def safe(site: Site) -> Iterator[Browser]:
    secrets = {"WORD": {"value": SECRET, "origins": [site.here]}}
    with Browser.launch(
        config=load_config(None, secrets=secrets, dialog_bridge="native").browser
    ) as browser:
        yield browser


def blue(browser: Browser, picture: Screenshot) -> set[int]:
    """Return the rows with letters, which are taller than dots."""
    places = [(row, x * 3.0, row + 25.0 + y) for row in ROWS for x in range(60) for y in (-11, 11)]
    found = colours(browser, picture, *((x, y) for _, x, y in places))
    return {row for (row, _, _), colour in zip(places, found, strict=True) if colour == "blue"}


def test_screenshot_masks_text_and_fields_that_show_a_secret(
    safe: Browser, site: Site, browser: Browser
) -> None:
    url = site.page("/", PAGE)
    browser.goto(url)
    shown = browser.screenshot()
    assert blue(browser, shown) == {*ROWS} - {LATE}
    safe.goto(url)
    for picture in (safe.screenshot(), safe.screenshot(full_page=True)):
        assert blue(browser, picture) == {KEPT}


def test_screenshot_fails_on_a_page_that_it_cannot_search_for_secrets(
    safe: Browser, site: Site
) -> None:
    safe.goto(site.page("/", f"{PAGE}<script>onclick = () => alert(1)</script>"))
    safe.click(x=5, y=450)
    with pytest.raises(Denied, match="can't cover"):
        safe.screenshot()


def test_live_view_images_never_show_a_secret(safe: Browser, site: Site, browser: Browser) -> None:
    safe.goto(site.page("/", PAGE))
    came: list[Picture] = []
    task = safe._task
    task.supervisor.loop.call_soon_threadsafe(
        lambda: task.screencasts.watch(came.append, max_width=1280)
    )
    eventually(lambda: came)
    safe.evaluate("late.textContent = 'MMMM' + 'MMMM'; kept.remove()")

    def rows(one: Picture) -> set[int]:
        size = {"width": int(one.width), "height": int(one.height)}
        return blue(browser, Screenshot(one.data, "jpeg", **size))

    eventually(lambda: rows(came[-1]) == set())
    assert set().union(*map(rows, list(came)[-8:])) <= {KEPT}
