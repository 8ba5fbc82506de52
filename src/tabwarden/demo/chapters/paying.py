"""The checkout, with a frame from another site that contains a frame from the shop's own site."""

from __future__ import annotations

import re
from typing import Any

from tabwarden.demo.reading import excerpt, find
from tabwarden.demo.stage import Stage
from tabwarden.demo.surprise import Surprise, expect
from tabwarden.page import Snapshot

_CARD = "4242 4242 4242 4242"


async def pay(stage: Stage) -> None:
    """Show that one snapshot contains all frames, and that refs work the same in each frame."""
    browser, page = stage.browser, f"{stage.shop.shop}/checkout"
    await stage.call(f"goto {page}", browser.goto(page))
    seen = await stage.look_until("button", "Pay €")
    stage.teller.show(excerpt(seen.text, ['iframe "Payment"'], after=5))
    card, button = find(seen.text, "textbox", "Card number"), find(seen.text, "button", "Pay ")
    await stage.call(f'type the card number into {card}, "Card number"', browser.type(_CARD, card))
    await stage.call(f"click {button}, the button to pay", browser.click(button))

    seen = await stage.look_until("text", "Approve €")
    stage.teller.show(excerpt(seen.text, ['iframe "Bank check"'], after=6))
    _tell_frames(stage, seen)
    code, button = find(seen.text, "textbox", "Security code"), find(seen.text, "button", "Confirm")
    sent = re.search(r"Sent to your phone: (\d+)", seen.text)
    if sent is None:
        raise Surprise("The bank does not show a code.")
    typing = browser.type(sent[1], code)
    await stage.call(f'type the code that the snapshot shows into {code}, "Security code"', typing)
    await stage.call(f'click {button}, the button "Confirm"', browser.click(button))

    seen = await stage.look_until("status", "Thank you.")
    stage.teller.show(excerpt(seen.text, ['status "Thank you']))
    expect("paid with the card ending 4242" in seen.text, "The payment did not reach the shop.")
    await stage.picture("paid.png")


def _tell_frames(stage: Stage, seen: Snapshot) -> None:
    """Print which frames are out-of-process frames, according to the snapshot."""
    frames: list[dict[str, Any]] = [seen.frame_tree["top"], *seen.frame_tree["children"]]
    stage.teller.show(
        f"frame {frame['frame_id']} {frame['origin']}"
        + (", out of process" if frame["is_oopif"] else "")
        for frame in frames
    )
    apart = sum(frame["is_oopif"] for frame in frames)
    expect(apart == 2, f"Out-of-process frames: {apart} of 2.")
