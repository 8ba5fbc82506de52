"""The parts of Hermes Agent that this plugin uses: masking, the connected browser, the vision
model."""

from __future__ import annotations

import importlib
import os
import uuid
from pathlib import Path
from typing import Any

_VISION_TOKENS = 2000


def masked(value: Any) -> Any:
    """Return a JSON value with its secrets masked, by Hermes' own rules."""
    if isinstance(value, str):
        redact = importlib.import_module("agent.redact").redact_sensitive_text
        return redact(value, force=True)
    if isinstance(value, dict):
        return {name: masked(item) for name, item in value.items()}
    if isinstance(value, list):
        return [masked(item) for item in value]
    return value


def connected_url() -> str:
    """Return the browser address from ``/browser connect`` or ``browser.cdp_url``, or ""."""
    live = os.environ.get("BROWSER_CDP_URL", "").strip()
    if live:
        return live
    config = importlib.import_module("hermes_cli.config").read_raw_config() or {}
    browser = config.get("browser")
    return str(browser.get("cdp_url") or "").strip() if isinstance(browser, dict) else ""


def save_screenshot(picture: bytes) -> Path:
    """Save an image in Hermes' screenshot folder, where Hermes deletes old screenshots."""
    folder = importlib.import_module("hermes_constants").get_hermes_dir(
        "cache/screenshots", "browser_screenshots"
    )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = Path(folder) / f"browser_screenshot_{uuid.uuid4().hex}.png"
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(picture)
    return path


def seen(question: str, path: Path, data_url: str, size: int) -> dict[str, Any] | None:
    """Return the tool result that shows an image to the main model; None if that model can't read
    images.
    """
    vision = importlib.import_module("tools.vision_tools")
    if not vision._should_use_native_vision_fast_path():
        return None
    result: dict[str, Any] = vision._build_native_vision_tool_result(
        image_url=str(path), question=question, image_data_url=data_url, image_size_bytes=size
    )
    result.setdefault("meta", {})["screenshot_path"] = str(path)
    summary = result.get("text_summary", "")
    result["text_summary"] = f"{summary} Screenshot path: {path}".strip()
    return result


def described(question: str, data_url: str) -> str:
    """Ask Hermes' vision model (``auxiliary.vision``) about an image, and return the model's
    answer.
    """
    ask = importlib.import_module("agent.auxiliary_client").call_llm
    words = (
        "This is a screenshot of a web browser. Describe what answers the question, with the "
        f"elements to act on, and any challenge such as a CAPTCHA. Question: {question}"
    )
    answer = ask(
        task="vision",
        messages=[
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": words},
                    {"type": "image_url", "image_url": {"url": data_url}},
                ],
            }
        ],
        max_tokens=_VISION_TOKENS,
    )
    return str(masked((answer.choices[0].message.content or "").strip()))
