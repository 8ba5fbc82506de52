"""Pictures: answers without the picture itself, which not every model can see or shall pay for."""

from __future__ import annotations

import msgspec

from tabwarden.actions.dispatch import Answer
from tabwarden.actions.result_text import as_data, saved_words
from tabwarden.actions.saving import saved
from tabwarden.config import BrowserConfig, Images
from tabwarden.errors import InvalidArgument
from tabwarden.hints import tool_call


async def without_picture(answer: Answer, images: Images, config: BrowserConfig) -> Answer:
    """Return an answer as ``server.images`` wants it: if it has a picture, with a file or with
    nothing instead.

    Args:
        answer: an answer for a model.
        images: what the server's answers have.
        config: the configuration of the task, which names the output folder.
    """
    if answer.picture is None or images == "inline":
        return answer
    if images == "omit":
        return _instead(answer, "The picture is left out (server.images: omit).", {})
    name = f"screenshot.{answer.picture.format}"
    try:
        file = (await saved(config, answer.picture, name)).value
    except InvalidArgument as error:
        return _instead(answer, f"The picture could not be saved: {error.message}", {})
    return _instead(answer, saved_words(file)[0], {"file": as_data(file, tool_call)})


def _instead(answer: Answer, words: str, more: dict[str, object]) -> Answer:
    state = f"\n{answer.state}" if answer.state and answer.text.endswith(answer.state) else ""
    text = f"{answer.words}\n{words}{state}"
    return msgspec.structs.replace(answer, text=text, data={**answer.data, **more}, picture=None)
