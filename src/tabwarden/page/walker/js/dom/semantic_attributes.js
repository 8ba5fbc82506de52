// Determines which elements have attributes for their role, name or state. Most elements have only
// attributes such as class, so a walk checks once instead of a dozen times.

import { attributeNames, hasAttributes } from "../dom/natives.js";
import { duringWalk, walking } from "../dom/walk.js";

// The attributes that matter for all kinds of elements, not just fields, images or cells.
const TELLING = new Set(
  (
    "role hidden inert onclick tabindex contenteditable title alt placeholder type popovertarget command " +
    "xlink:href xlink:title open draggable"
  ).split(" "),
);
const tells = (name) => TELLING.has(name) || name.startsWith("aria-");

// The last element that this walk checked, with the result.
let tellingOf = null;
let tellingIs = false;

function forgetTelling() {
  tellingOf = null;
}

duringWalk(forgetTelling, forgetTelling);

export function isTelling(element, tag) {
  if (element === tellingOf) return tellingIs;
  // A custom element may also be disabled without an attribute.
  const is = hasAttributes(element) && (tag.includes("-") || attributeNames(element).some(tells));
  if (walking) {
    tellingOf = element;
    tellingIs = is;
  }
  return is;
}
