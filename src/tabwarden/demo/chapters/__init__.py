"""The scripted agent's steps, with their names, titles, explanations and prerequisites."""

from tabwarden.demo.chapters import arrival, asking, ending, paying, trouble
from tabwarden.demo.stage import Step

__all__ = ["LAST", "STEPS"]

STEPS = (
    Step(
        "open",
        "Launch a browser",
        "The browser does not use your profile. In each turn, a model sees a line like the one "
        "after the bar.",
        arrival.launch,
    ),
    Step(
        "basket",
        "Read the shop and fill the basket",
        "Like a model, the agent reads the text of a snapshot and clicks elements by their refs.",
        arrival.fill_basket,
        ("open",),
    ),
    Step(
        "confirm",
        "A click that opens a confirm dialog",
        "The page's script is stuck in confirm(). The click still returns and reports the dialog. "
        "Calls that the page can't handle now fail immediately.",
        asking.confirm,
        ("basket",),
    ),
    Step(
        "prompt",
        "A prompt that asks for text",
        "The agent answers with its own text, and the page gets exactly that text.",
        asking.prompt,
        ("basket",),
    ),
    Step(
        "alerts",
        "Unexpected alerts",
        "A timer opens the first alert after the click has returned. The next call's result "
        "reports that alert. The second alert opens while a page loads.",
        asking.alerts,
        ("open",),
    ),
    Step(
        "pay",
        "A payment frame from another site, with a bank's frame inside",
        "The payment form belongs to another site, so it runs in its own process. The bank's form "
        "inside it runs in a third process. The agent sees one outline.",
        paying.pay,
        ("basket",),
    ),
    Step(
        "loop",
        "A script that never ends",
        "The call ends within its budget. Tabwarden stops the script, and the tab keeps working.",
        trouble.endless_script,
        ("open",),
    ),
    Step(
        "handler",
        "A click whose handler never ends",
        "Tabwarden does the same if the endless script is the page's own.",
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
        "A screenshot of the page",
        "It shows the front page from top to bottom.",
        ending.picture,
        ("open",),
    ),
)

PERSON = Step(
    "person",
    "The agent asks a person for help",
    "The live view shows it. It returns when the person is done or refuses, or if nobody responds.",
    ending.ask_a_person,
    ("open",),
)
"""The step before the last one, if a person watches."""

LAST = Step(
    "close",
    "Close and clean up",
    "The demo checks that the browser's process has ended and its profile is gone.",
    ending.close,
    ("open",),
)
"""The last step. With ``--keep``, it runs after the user has pressed Enter."""
