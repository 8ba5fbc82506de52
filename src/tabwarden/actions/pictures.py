"""Remove the picture from a response. Not every model can see pictures, and not every model should
pay for them."""

from __future__ import annotations

import msgspec

from tabwarden.actions.dispatch import Answer
from tabwarden.actions.result_text import as_data, saved_words
from tabwarden.actions.saving import saved
from tabwarden.config import BrowserConfig, Images
from tabwarden.errors import InvalidArgument
from tabwarden.hints import tool_call


async def without_picture(answer: Answer, images: Images, config: BrowserConfig) -> Answer:
    """Apply ``server.images`` to a response: keep its picture, save the picture to a file, or omit
    it.

    Args:
        answer: a response for a model.
        images: the value of ``server.images``.
        config: the task's configuration, which sets the output folder.
    """
    if answer.picture is None or images == "inline":
        return answer
    if images == "omit":
        return _instead(answer, "The screenshot is omitted (server.images: omit).", {})
    name = f"screenshot.{answer.picture.format}"
    try:
        file = (await saved(config, answer.picture, name)).value
    except InvalidArgument as error:
        return _instead(answer, f"The screenshot could not be saved: {error.message}", {})
    return _instead(answer, saved_words(file)[0], {"file": as_data(file, tool_call)})


def _instead(answer: Answer, words: str, more: dict[str, object]) -> Answer:
    state = f"\n{answer.state}" if answer.state and answer.text.endswith(answer.state) else ""
    text = f"{answer.words}\n{words}{state}"
    return msgspec.structs.replace(answer, text=text, data={**answer.data, **more}, picture=None)
