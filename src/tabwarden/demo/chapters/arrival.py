"""The agent launches a browser, opens the front page, and puts two items in the basket."""

from __future__ import annotations

from tabwarden.browser import Browser
from tabwarden.config import BrowserConfig, load_config
from tabwarden.demo.reading import excerpt, find
from tabwarden.demo.stage import Stage
from tabwarden.demo.surprise import expect


async def launch(stage: Stage) -> None:
    """Launch the configured browser, but ignore other settings, because they could change the
    demo."""
    config = BrowserConfig(executable=load_config().browser.executable)
    launching = Browser.launch(headless=not stage.headed, config=config)
    stage.opened = await stage.call("launch", launching)
    await stage.call(f"goto {stage.shop.shop}", stage.browser.goto(stage.shop.shop))
    stage.teller.show([stage.browser.state_message()])


async def fill_basket(stage: Stage) -> None:
    """Find two products in the snapshot's text and click their buttons."""
    browser = stage.browser
    seen = await stage.look()
    stage.teller.show(excerpt(seen.text, ["Tab t", "- main"], after=8))
    for product in ("Sencha", "Stoneware cup"):
        ref = find(seen.text, "button", f"Add {product}")
        await stage.call(f'click {ref}, the button "Add {product} to basket"', browser.click(ref))
    seen = await stage.look()
    stage.teller.show(excerpt(seen.text, ['complementary "Your basket"'], after=5))
    expect('"2 items, ' in seen.text, "The basket does not contain two items.")
