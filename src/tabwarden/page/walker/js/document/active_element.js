// Determines which element has the focus, for the result of an action.

import { describe } from "../accessibility/describe.js";
import { titleNow } from "../document/title.js";
import { identify } from "../dom/element_ids.js";
import {
  activeDescendantOf, activeElementOf, bodyOf, checkVisibility, closest, localName,
} from "../dom/natives.js";
import { takesSecret } from "../dom/secret_fields.js";
import { shadowRoot } from "../dom/shadow_roots.js";
import { RENDERED } from "../dom/visibility.js";

// Returns the innermost focused element, through shadow roots; the body if nothing has the focus.
export function focusedNow() {
  let element = activeElementOf(document);
  while (element && shadowRoot(element)?.activeElement) element = shadowRoot(element).activeElement;
  return element;
}

function activeNow() {
  const element = focusedNow();
  if (!element || element === bodyOf(document)) return { element: null, descendant: null };
  const descendant = activeDescendantOf(element);
  // A closed list may still refer to its last active option.
  const isShown = descendant !== null && checkVisibility(descendant, RENDERED);
  return { element, descendant: isShown ? descendant : null };
}

// In an open select, an option has the focus. The outline shows the focus on the select.
export function activeInOutline() {
  const active = activeNow();
  const { element } = active;
  if (!element || localName(element) !== "option") return active;
  return { ...active, element: closest(element, "select") ?? element };
}

export function focusNow() {
  const { element, descendant } = activeNow();
  const meant = descendant ?? element;
  return meant ? { ...describe(meant), id: identify(meant) } : null;
}

// Returns whether typed text goes into a secret field; null if a frame receives the text.
export function secretNow() {
  const element = focusedNow();
  if (!element || FRAME_TAGS.has(localName(element))) return null;
  return takesSecret(element);
}
const FRAME_TAGS = new Set(["iframe", "frame", "object"]);

export const pageNow = () => ({ focus: focusNow(), title: titleNow() });
