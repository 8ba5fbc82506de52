"""Values for an LLM API match its own SDK's types."""

from __future__ import annotations

import base64
import importlib
import json
import warnings
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter

from tabwarden.errors import InvalidArgument
from tabwarden.page import Screenshot
from tabwarden.tools import Answer, ToolCall, is_state_line, with_state, without_state
from tabwarden.tools.forms import FORMS, arguments_of, form_named
from tabwarden.tools.sync import Tools

LINE = "[Browser: chrome | https://example.com/ | Example | 1 tab(s)]"
STALE = "[Browser: chrome | about:blank |  | 1 tab(s)]"
PICTURE = Screenshot(data=b"\x89PNG", format="png", width=1, height=1, scale=1.0)
ARGUMENTS = {"ref": "e1"}

DONE = (
    ToolCall(id="c1", name="browser_click", arguments=ARGUMENTS),
    Answer(text="click: ok\n" + LINE, data={}, state=LINE),
)
SHOWN = (
    ToolCall(id="c2", name="browser_screenshot"),
    Answer(text="screenshot: ok", data={}, picture=PICTURE),
)
FAILED = (
    ToolCall(id="c3", name="browser_click"),
    Answer(text="error stale_ref: gone", data={}, is_error=True),
)
ANSWERED = (DONE, SHOWN, FAILED)

CHAT_REPLY = {
    "id": "r", "object": "chat.completion", "created": 0, "model": "m",
    "choices": [{"index": 0, "finish_reason": "tool_calls", "logprobs": None, "message": {
        "role": "assistant", "content": None, "refusal": None, "tool_calls": [
            {"id": "c1", "type": "function",
             "function": {"name": "browser_click", "arguments": json.dumps(ARGUMENTS)}}]}}],
}  # fmt: skip
RESPONSES_REPLY = {
    "id": "r", "object": "response", "created_at": 0, "model": "m", "tool_choice": "auto",
    "parallel_tool_calls": True, "tools": [], "output": [
        {"type": "message", "id": "m1", "role": "assistant", "status": "completed",
         "content": [{"type": "output_text", "text": "I click.", "annotations": []}]},
        {"type": "function_call", "call_id": "c1", "name": "browser_click",
         "arguments": json.dumps(ARGUMENTS)}],
}  # fmt: skip
ANTHROPIC_REPLY = {
    "id": "r", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use",
    "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}, "content": [
        {"type": "text", "text": "I click.", "citations": None},
        {"type": "tool_use", "id": "c1", "name": "browser_click", "input": ARGUMENTS}],
}  # fmt: skip
GEMINI_REPLY = {
    "candidates": [{"content": {"role": "model", "parts": [
        {"text": "I click."},
        {"functionCall": {"id": "c1", "name": "browser_click", "args": ARGUMENTS}}]}}],
}  # fmt: skip
PLAIN_REPLY = {"tool_calls": [{"id": "c1", "name": "browser_click", "arguments": ARGUMENTS}]}

# For each provider a definition, a message, a reply. SDK imports take seconds, and every worker
# of a test run reads this file, so the functions that use the SDKs import them.
TYPES = {
    "openai": "openai.types.chat:ChatCompletionToolParam ChatCompletionMessageParam ChatCompletion",
    "openai-responses": "openai.types.responses:FunctionToolParam ResponseInputItemParam Response",
    "anthropic": "anthropic.types:ToolUnionParam MessageParam Message",
    "gemini": "google.genai.types:Tool Content GenerateContentResponse",
}
REPLIES: dict[str, dict[str, Any]] = {
    "openai": CHAT_REPLY,
    "openai-responses": RESPONSES_REPLY,
    "anthropic": ANTHROPIC_REPLY,
    "gemini": GEMINI_REPLY,
    "plain": PLAIN_REPLY,
}


def type_of(form: str, which: int) -> Any:
    """An SDK's type."""
    module, _, names = TYPES[form].partition(":")
    return getattr(importlib.import_module(module), names.split()[which])


def judged(type_: Any, said: list[dict[str, Any]]) -> None:
    """Check that each value matches the SDK's type, without unknown keys."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the SDKs' own types, while pydantic reads them
        judge = TypeAdapter(type_)
    for one in said:
        assert read_out(judge.validate_python(one)) == json.loads(json.dumps(one))


def read_out(taken: Any) -> Any:
    """The values as JSON; pydantic checks an iterable's items when they are read."""
    if isinstance(taken, BaseModel):
        return taken.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(taken, dict):
        return {key: read_out(value) for key, value in taken.items()}
    listed = isinstance(taken, list) or hasattr(taken, "__next__")
    return [read_out(one) for one in taken] if listed else taken


@pytest.mark.parametrize("form", TYPES)
def test_tool_definitions_match_the_sdk_types(form: str) -> None:
    definitions = Tools().definitions(form)  # type: ignore[arg-type]
    judged(type_of(form, 0), definitions)
    assert "browser_click" in json.dumps(definitions)


@pytest.mark.parametrize("form", TYPES)
def test_tool_results_and_state_line_match_the_sdk_types(form: str) -> None:
    results = FORMS[form].results(ANSWERED)
    judged(type_of(form, 1), with_state(results, LINE, form))


@pytest.mark.parametrize("form", FORMS)
def test_tool_results_contain_text_errors_and_images_but_no_state_line(form: str) -> None:
    told = json.dumps(FORMS[form].results(ANSWERED))
    assert "click: ok" in told
    assert "error stale_ref: gone" in told
    assert base64.b64encode(PICTURE.data).decode() in told
    assert "[Browser" not in told
    assert FORMS[form].results(()) == []


@pytest.mark.parametrize("picture", [PICTURE, None])
@pytest.mark.parametrize("form", ["anthropic", "openai-responses"])
def test_result_without_text_has_no_empty_text_block(form: str, picture: Screenshot | None) -> None:
    answered = (ToolCall(id="c1", name="screenshot"), Answer(text="", data={}, picture=picture))
    (message,) = FORMS[form].results([answered])
    judged(type_of(form, 1), [message])
    assert '"text": ""' not in json.dumps(message)


def test_openai_images_follow_all_tool_messages() -> None:
    roles = [message["role"] for message in FORMS["openai"].results(ANSWERED)]
    assert roles == ["tool", "tool", "tool", "user"]


@pytest.mark.parametrize("form", ["anthropic", "gemini"])
def test_anthropic_and_gemini_results_of_one_reply_form_one_message(form: str) -> None:
    assert len(FORMS[form].results(ANSWERED)) == 1


@pytest.mark.parametrize("form", REPLIES)
def test_provider_format_reads_tool_calls_from_dictionaries_and_sdk_objects(form: str) -> None:
    replies: list[Any] = [REPLIES[form]]
    if form in TYPES:
        replies.append(type_of(form, 2).model_validate(REPLIES[form]))
    for one in replies:
        (call,) = FORMS[form].calls(one)
        assert (call.id, call.name, arguments_of(call.arguments)) == (
            "c1",
            "browser_click",
            ARGUMENTS,
        )


def test_provider_format_reads_tool_calls_from_a_single_message() -> None:
    (call,) = FORMS["openai"].calls(CHAT_REPLY["choices"][0]["message"])  # type: ignore[index]
    assert call.id == "c1"
    (call,) = FORMS["openai-responses"].calls(RESPONSES_REPLY["output"])
    assert call.id == "c1"


@pytest.mark.parametrize("form", FORMS)
def test_provider_format_finds_no_calls_in_a_reply_without_tool_calls(form: str) -> None:
    assert FORMS[form].calls({"role": "assistant", "content": "Done."}) == []


def test_unknown_provider_format_error_suggests_the_nearest_name() -> None:
    with pytest.raises(InvalidArgument, match="anthropic") as caught:
        form_named("antropic")
    assert caught.value.data["field"] == "form"


# -- the state line ------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["plain", "gemini"])
def test_adding_the_state_line_copies_the_messages_and_removes_stale_state_lines(form: str) -> None:
    kept = {"role": "user", "content": "Buy it"}
    history = [kept]
    first = with_state(history, STALE, form)
    second = with_state(first, LINE, form)
    assert history == [kept]
    assert second[0] is kept
    assert len(second) == 2
    assert STALE not in json.dumps(second)
    assert LINE in json.dumps(second[-1])
    assert without_state(second) == history


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": f"What is {LINE}?"},
        {"role": "assistant", "content": LINE},
        {"role": "user", "content": [{"type": "text", "text": part} for part in (LINE, "?")]},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]},
        {"type": "function_call", "name": "x"},
        object(),
    ],
)  # fmt: skip
def test_removing_the_state_line_keeps_other_messages_that_contain_one(message: Any) -> None:
    assert without_state([message]) == [message]


def test_only_a_complete_state_line_counts_as_a_state_line() -> None:
    assert is_state_line(LINE)
    assert is_state_line(Tools().state_message())
    assert not is_state_line(LINE + "\nmore")
    assert not is_state_line(None)


# -- arguments -----------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [None, "", " ", "{}", {}, "null"])
def test_missing_tool_arguments_become_an_empty_object(given: Any) -> None:
    assert arguments_of(given) == {}


@pytest.mark.parametrize("given", ["{", "[1]", '"x"', [1]])
def test_tool_arguments_that_are_not_an_object_raise_an_error(given: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        arguments_of(given)
    assert caught.value.data["field"] == "arguments"
