"""A scripted model: an OpenAI-compatible server for agents."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

Step = Callable[[str], tuple[str, dict[str, Any]] | str]
"""Gets the last tool result; returns the next tool and its arguments, or the final text."""


class ScriptedModel:
    """Answers each request of an agent with the script's next step."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = list(steps)
        self.answers: list[str] = []
        """What each tool answered, as the agent gave it to the model."""
        self.requests: list[dict[str, Any]] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._send({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                message = model.next(asked)
                if not asked.get("stream"):
                    self._send(_whole(message))
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                for part in _streamed(message):
                    self.wfile.write(f"data: {part}\n\n".encode())

            def _send(self, body: dict[str, Any]) -> None:
                data = json.dumps(body).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def next(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The next message. A request without tools is not the agent's (a title, a summary)."""
        self.requests.append(asked)
        if not asked.get("tools"):
            return {"role": "assistant", "content": "A few words."}
        last = asked["messages"][-1]
        said = last.get("content") or ""
        if last["role"] == "tool":
            self.answers.append(said if isinstance(said, str) else json.dumps(said))
        step = self.steps.pop(0)(self.answers[-1] if self.answers else "")
        if isinstance(step, str):
            return {"role": "assistant", "content": step}
        name, arguments = step
        call = {
            "id": f"call_{len(self.requests)}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        return {"role": "assistant", "content": None, "tool_calls": [call]}

    def __enter__(self) -> ScriptedModel:
        self._thread.start()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


_USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


def _whole(message: dict[str, Any]) -> dict[str, Any]:
    reason = "tool_calls" if message.get("tool_calls") else "stop"
    return {
        "id": "1", "object": "chat.completion", "created": 1, "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}], "usage": _USAGE,
    }  # fmt: skip


def _streamed(message: dict[str, Any]) -> list[str]:
    calls = [{"index": i, **call} for i, call in enumerate(message.get("tool_calls") or ())]
    delta = {**message, **({"tool_calls": calls} if calls else {})}
    reason = "tool_calls" if calls else "stop"
    chunks = [{"delta": delta, "finish_reason": None}, {"delta": {}, "finish_reason": reason}]
    base = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}
    parts = [json.dumps({**base, "choices": [{"index": 0, **chunk}]}) for chunk in chunks]
    return [*parts, json.dumps({**base, "choices": [], "usage": _USAGE}), "[DONE]"]
