// Tells which fields take text and which have a picker.

import { localName } from "../dom/natives.js";

const TYPED = new Set(["text", "search", "url", "tel", "email", "password", "number"]);
export const PICKED = new Set(["date", "time", "month", "week", "datetime-local", "color", "range"]);

export function kindOf(element) {
  const tag = localName(element);
  if (tag === "textarea") return "typed";
  if (tag === "input") return TYPED.has(element.type) ? "typed" : PICKED.has(element.type) ? "picked" : "";
  return element.isContentEditable || element.editContext ? "typed" : "";
}
