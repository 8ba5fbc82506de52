// Checkboxes and radio buttons that are not drawn, because another element is drawn instead: their
// label, or a box around them.

import { identified } from "../dom/element_ids.js";
import { all, checkVisibility, localName } from "../dom/natives.js";
import { RENDERED } from "../dom/visibility.js";
import { isShown, isTiny } from "../geometry/boxes.js";

const CHECKS = "input[type=checkbox], input[type=radio]";
const CHECK_TYPES = new Set(["checkbox", "radio"]);

const isCheck = (element) => localName(element) === "input" && CHECK_TYPES.has(element.type);
const isUndrawn = (element) => !checkVisibility(element, RENDERED);

// Returns the checkbox that a label is drawn for, or null.
export function checkDrawnBy(label) {
  const { control } = label;
  return control && isCheck(control) && isUndrawn(control) ? control : null;
}

// Returns the only checkbox in an element if it is not drawn; otherwise null.
export function checkIn(element) {
  const checks = all(element, CHECKS);
  return checks.length === 1 && isUndrawn(checks[0]) ? checks[0] : null;
}

// Returns the label that people see instead of a checkbox, or the element itself.
export function drawnOf(element) {
  if (!isCheck(element) || (isShown(element) && !isTiny(element))) return element;
  return [...(element.labels ?? [])].find(isShown) ?? element;
}

// Returns the element that people see for the element with an id.
export function drawnWithId(id) {
  const element = identified(id);
  return element && drawnOf(element);
}
