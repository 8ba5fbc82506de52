"""The scripted agent's steps, as data: name, title, explanation and required steps."""

from tabwarden.demo.chapters import arrival, asking, ending, paying, trouble
from tabwarden.demo.stage import Step

__all__ = ["LAST", "STEPS"]

STEPS = (
    Step(
        "open",
        "Launch a browser",
        "The browser does not use your profile. The line after the bar is what a model sees "
        "each turn.",
        arrival.launch,
    ),
    Step(
        "basket",
        "Read the shop and fill the basket",
        "The agent reads the text of a snapshot and clicks by the refs in it, as a model would.",
        arrival.fill_basket,
        ("open",),
    ),
    Step(
        "confirm",
        "A click that opens a confirm",
        "The page's script is stuck in confirm(). The click still returns, with the dialog. "
        "Calls that the page can't serve now fail at once.",
        asking.confirm,
        ("basket",),
    ),
    Step(
        "prompt",
        "A prompt that asks for text",
        "The agent answers with its own text, and the page gets exactly that.",
        asking.prompt,
        ("basket",),
    ),
    Step(
        "alerts",
        "Unexpected alerts",
        "A timer opens one after its click has returned: the next result of any kind reports "
        "it. The other opens while a page loads.",
        asking.alerts,
        ("open",),
    ),
    Step(
        "pay",
        "A payment frame of another site, with a bank's frame inside",
        "The payment form belongs to another site, so it runs in its own process, and the "
        "bank's form inside it in a third one. The agent sees one outline.",
        paying.pay,
        ("basket",),
    ),
    Step(
        "loop",
        "A script that never ends",
        "The call ends within its budget, the script is stopped, and the tab works on.",
        trouble.endless_script,
        ("open",),
    ),
    Step(
        "handler",
        "A click whose handler never ends",
        "The same happens with the page's own script after a click.",
        trouble.endless_handler,
        ("open",),
    ),
    Step(
        "crash",
        "The page's process crashes",
        "The agent gets an error and can still read the last outline. A reload revives the tab.",
        trouble.crash,
        ("open",),
    ),
    Step(
        "picture",
        "A picture of the page",
        "The front page from top to bottom.",
        ending.picture,
        ("open",),
    ),
)

LAST = Step(
    "close",
    "Close and clean up",
    "The demo checks that the browser's process has ended and its profile is gone.",
    ending.close,
    ("open",),
)
"""The step that runs last, after the wait of ``--keep``."""
