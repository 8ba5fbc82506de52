// Determines which fields accept text and which have a picker, and which field belongs to an
// element.

import { all, localName } from "../dom/natives.js";

const TYPED = new Set(["text", "search", "url", "tel", "email", "password", "number"]);
export const PICKED = new Set(["date", "time", "month", "week", "datetime-local", "color", "range"]);

export function kindOf(element) {
  const tag = localName(element);
  if (tag === "textarea") return "typed";
  if (tag === "input") return TYPED.has(element.type) ? "typed" : PICKED.has(element.type) ? "picked" : "";
  return element.isContentEditable || element.editContext ? "typed" : "";
}

// Returns the intended field: the element, the field that it labels, or the only field in it.
export function fieldOf(element) {
  if (kindOf(element)) return element;
  if (localName(element) === "label" && element.control) return element.control;
  const fields = [...all(element, "input, textarea, [contenteditable]")].filter(kindOf);
  return fields.length === 1 ? fields[0] : element;
}
