"""What the scripted agent does, as data: each step with its name, its words and what it needs."""

from tabwarden.demo.chapters import arrival, asking, ending, paying, trouble
from tabwarden.demo.stage import Step

__all__ = ["LAST", "STEPS"]

STEPS = (
    Step("open", "Launch a browser", arrival.launch),
    Step("basket", "Read the shop and fill the basket", arrival.fill_basket, ("open",)),
    Step("confirm", "A click that opens a confirm", asking.confirm, ("basket",)),
    Step("prompt", "A prompt that wants a text", asking.prompt, ("basket",)),
    Step("alerts", "Alerts that nobody asked for", asking.alerts, ("open",)),
    Step("pay", "A payment frame of another site, a bank in it", paying.pay, ("basket",)),
    Step("loop", "A script that never ends", trouble.endless_script, ("open",)),
    Step("handler", "A click whose handler never ends", trouble.endless_handler, ("open",)),
    Step("crash", "The page's process crashes", trouble.crash, ("open",)),
    Step("picture", "A picture of the page", ending.picture, ("open",)),
)

LAST = Step("close", "Close, and leave nothing behind", ending.close, ("open",))
"""Done at the very end, after ``--keep``."""
