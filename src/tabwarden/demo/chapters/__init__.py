"""What the scripted agent does, as data: each step with its name, its words and what it needs."""

from tabwarden.demo.chapters import arrival, asking, ending, paying, trouble
from tabwarden.demo.stage import Step

__all__ = ["LAST", "STEPS"]

STEPS = (
    Step(
        "open",
        "Launch a browser",
        "Without a profile of yours. The line behind the bar is what a model is told each turn.",
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
        "The page's script stands still in confirm(). The click comes back all the same, with the "
        "dialog; what the page can't serve meanwhile is refused at once.",
        asking.confirm,
        ("basket",),
    ),
    Step(
        "prompt",
        "A prompt that wants a text",
        "The agent gives the prompt a text of its own; the page gets that and nothing else.",
        asking.prompt,
        ("basket",),
    ),
    Step(
        "alerts",
        "Alerts that nobody asked for",
        "One comes from a timer, after its click has ended: the next result of any kind tells of "
        "it. The other comes while a page loads.",
        asking.alerts,
        ("open",),
    ),
    Step(
        "pay",
        "A payment frame of another site, a bank in it",
        "The payment form is another site's, so it runs in another process than the shop; the "
        "bank's form inside it does not run in the payment's. To the agent all are one outline.",
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
        "The same for a script of the page's own, under a click.",
        trouble.endless_handler,
        ("open",),
    ),
    Step(
        "crash",
        "The page's process crashes",
        "The agent is told so, and can read the last outline still. A reload revives the tab.",
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
    "Close, and leave nothing behind",
    "The browser's process has to have ended and its profile to be gone; both are checked.",
    ending.close,
    ("open",),
)
"""Done at the very end, after ``--keep``."""
