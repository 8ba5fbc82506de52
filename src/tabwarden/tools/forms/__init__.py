"""Forms: how each LLM API represents tools, calls and results. One file per API."""

from __future__ import annotations

from tabwarden.errors import InvalidArgument
from tabwarden.similar import get_close_matches
from tabwarden.tools.forms.anthropic import Anthropic
from tabwarden.tools.forms.base import Answered, Form, FormName
from tabwarden.tools.forms.gemini import Gemini
from tabwarden.tools.forms.openai_chat import OpenAIChat
from tabwarden.tools.forms.openai_responses import OpenAIResponses
from tabwarden.tools.forms.plain import Plain

__all__ = ["FORMS", "Answered", "Form", "FormName", "form_named"]

FORMS: dict[str, Form] = {
    "plain": Plain(),
    "openai": OpenAIChat(),
    "openai-responses": OpenAIResponses(),
    "anthropic": Anthropic(),
    "gemini": Gemini(),
}


def form_named(name: str) -> Form:
    """Return the form with this name. The error for an unknown name lists the forms."""
    if name not in FORMS:
        near = get_close_matches(name, FORMS, n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise InvalidArgument(
            f"{name!r} is not a supported LLM API form.",
            f"{hint}Forms: {', '.join(FORMS)}.",
            field="form",
        )
    return FORMS[name]
