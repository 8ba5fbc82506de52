"""The scripted model speaks both vendors' APIs, as their own SDKs read them."""

from __future__ import annotations

from typing import Any

import pytest
from support.needs import require

from tabwarden.demo.scripted_model import Script, ScriptedModel

require("vendor-sdks")

from anthropic import Anthropic, BadRequestError, beta_tool  # noqa: E402 - it needs the SDKs
from openai import OpenAI  # noqa: E402

TOOL: dict[str, Any] = {"type": "object", "properties": {"city": {"type": "string"}}}
ASKED: list[Any] = [{"role": "user", "content": "What is the weather?"}]


def weather() -> Script:
    told = yield [("weather", {"city": "Uji"}), ("weather", {"city": "Kyoto"})]
    told = yield "weather", {"city": told.splitlines()[1]}
    return f"It said: {told}"


def test_scripted_model_plays_several_turns_to_anthropics_runner() -> None:
    tool = beta_tool(lambda city: f"Rain in {city}", name="weather", input_schema=TOOL)
    with ScriptedModel(weather()) as model:
        client = Anthropic(base_url=model.url, api_key="none")
        runner = client.beta.messages.tool_runner(
            model="scripted", max_tokens=1, tools=[tool], messages=ASKED
        )
        (text,) = runner.until_done().content
        assert text.text == "It said: Rain in Rain in Kyoto"  # type: ignore[union-attr]
        assert len(model.requests) == 3


def test_scripted_model_plays_several_turns_to_openais_responses_api() -> None:
    definition: Any = {"type": "function", "name": "weather", "parameters": TOOL, "strict": False}
    with ScriptedModel(weather()) as model:
        client = OpenAI(base_url=f"{model.url}/v1", api_key="none")
        items = list(ASKED)
        for output in ("Rain", '{"ok": true, "result": "Sun"}'):
            response = client.responses.create(model="scripted", input=items, tools=[definition])
            for call in response.output:
                assert call.type == "function_call"
                done = {"type": "function_call_output", "call_id": call.call_id, "output": output}
                items += [call.model_dump(), done]
        last = client.responses.create(model="scripted", input=items, tools=[definition])
        assert last.output_text == "It said: Sun"


def test_scripted_model_tells_the_program_what_failed_in_its_script() -> None:
    def broken() -> Script:
        yield "weather", {"city": {}["no such city"]}
        return ""

    with ScriptedModel(broken()) as model:
        client = Anthropic(base_url=model.url, api_key="none")
        with pytest.raises(BadRequestError, match="KeyError: 'no such city'"):
            client.messages.create(model="scripted", max_tokens=1, messages=ASKED)
