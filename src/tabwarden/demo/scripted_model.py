"""A scripted model: a server on the loopback interface that speaks Anthropic's Messages API and
OpenAI's Responses API, so that an agent runs without a key and without a model."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self, TypeAlias

Call: TypeAlias = tuple[str, Mapping[str, Any]]
"""A tool's name and its input."""
Script: TypeAlias = Generator[Call | Sequence[Call], str, str]
"""Yields the calls of each turn, and is sent what the tools returned. Returns the last message."""


class ScriptedModel:
    """Serves a script as a model during the ``with`` block, on a port that the system chooses.

    Args:
        script: the model's calls, for one run of one agent.
    """

    def __init__(self, script: Script) -> None:
        self._turns = _Turns(script)
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.turns = self._turns
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        """The ``base_url`` for ``Anthropic``. ``OpenAI`` needs ``/v1`` after it."""
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The requests that the agent has sent, oldest first."""
        return self._turns.requests

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Turns:
    """Answers each request with the script's next turn."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._functions: set[str] = set()
        self.requests: list[dict[str, Any]] = []

    def message(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request of the Messages API."""
        # The SDK sends the tools once, then only new messages of the thread (anthropic 2.14.0).
        self._functions |= {tool["name"] for tool in request.get("tools", ()) if "name" in tool}
        calls, text = self._next(request, _results_of_messages(request["messages"]))
        content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
        for number, (name, input_) in enumerate(calls):
            block = {"type": "tool_use", "id": self._id("toolu", number), "name": name}
            toolset = {} if name in self._functions else {"toolset_name": "browser"}
            content.append({**block, "input": dict(input_), **toolset})
        return {
            "id": self._id("msg"),
            "type": "message",
            "role": "assistant",
            "model": request["model"],
            "content": content,
            "stop_reason": "tool_use" if calls else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 0, "output_tokens": 0},
        }

    def response(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request of the Responses API."""
        results = _results_of_items(request["input"], f"call_{len(self.requests)}_")
        calls, text = self._next(request, results)
        output: list[dict[str, Any]] = []
        if text:
            content = [{"type": "output_text", "text": text, "annotations": []}]
            message = {"type": "message", "id": self._id("msg"), "role": "assistant"}
            output.append({**message, "status": "completed", "content": content})
        for number, (name, input_) in enumerate(calls):
            call = {"type": "function_call", "id": self._id("fc", number), "name": name}
            ending = {"call_id": self._id("call", number), "status": "completed"}
            output.append({**call, **ending, "arguments": json.dumps(input_)})
        return {
            "id": self._id("resp"),
            "object": "response",
            "created_at": 0,
            "model": request["model"],
            "status": "completed",
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }

    def _next(self, request: dict[str, Any], results: str) -> tuple[Sequence[Call], str]:
        """Return the calls of the next turn, or the last message."""
        begins = not self.requests
        self.requests.append(request)
        try:
            turn = next(self._script) if begins else self._script.send(results)
        except StopIteration as stop:
            return (), str(stop.value or "The script has ended.")
        return ([turn] if isinstance(turn, tuple) else turn), ""

    def _id(self, prefix: str, number: int = 0) -> str:
        return f"{prefix}_{len(self.requests)}_{number}"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    turns: _Turns


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        turns = self.server.turns
        is_openai = self.path.partition("?")[0].endswith("/responses")
        try:
            answer, status = (turns.response if is_openai else turns.message)(request), 200
        except Exception as error:  # noqa: BLE001 - the program reads what is wrong in its script
            words = f"The script failed: {type(error).__name__}: {error}"
            answer, status = {"error": {"type": "invalid_request_error", "message": words}}, 400
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Print nothing, because the program prints to the same terminal."""


def _results_of_messages(messages: Sequence[Mapping[str, Any]]) -> str:
    """Return the texts of the tool results at the end of a conversation."""
    content = messages[-1]["content"]
    blocks = content if isinstance(content, list) else []
    return "\n".join(
        _texts_of(block.get("content", "")) for block in blocks if block["type"] == "tool_result"
    )


def _results_of_items(items: Any, turn: str) -> str:
    """Return the texts of the function outputs whose call ids begin with ``turn``."""
    return "\n".join(
        _plain(_texts_of(item["output"]))
        for item in (items if isinstance(items, list) else [])
        if item.get("type") == "function_call_output" and item["call_id"].startswith(turn)
    )


def _texts_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if "text" in block)


def _plain(text: str) -> str:
    """Return what a member of OpenAI's toolset returned, without the JSON around it."""
    try:
        answer = json.loads(text)
    except ValueError:
        return text
    outcome = answer.get("result") or answer.get("error") if isinstance(answer, dict) else text
    return outcome if isinstance(outcome, str) else json.dumps(outcome)
