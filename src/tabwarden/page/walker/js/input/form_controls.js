// Form controls: how to set one, and whether it is checked.

import { fieldOf, kindOf } from "../accessibility/field_kinds.js";
import { roleOf } from "../accessibility/names_and_roles.js";
import { TRANSPARENT } from "../accessibility/role_sets.js";
import { CHECKABLE, checkedOf } from "../accessibility/states.js";
import { identified } from "../dom/element_ids.js";
import { attribute, localName } from "../dom/natives.js";
import { checkIn } from "../geometry/drawn_checks.js";
import { isSlider } from "./slider.js";
import { pickerOf } from "../select/pickers.js";

// "checked" (click it), "radio", "chosen" (select), "text" (type, pick or slide), "file" or "".
export function control(id) {
  const named = identified(id);
  if (!named) return { kind: "gone" };
  const element = controlOf(named);
  const tag = localName(element);
  const role = roleOf(element, tag);
  if (tag === "input" && element.type === "file") return { kind: "file" };
  if (CHECKABLE.has(role)) {
    return { kind: role.endsWith("radio") ? "radio" : "checked", checked: checkedNow(element) };
  }
  if (isChosenFrom(element)) return { kind: "chosen" };
  const isNumber = tag === "input" && element.type === "number";
  return { kind: isSlider(element) || kindOf(fieldOf(element)) ? "text" : "", isNumber };
}

// In a combobox, we choose options even if it accepts text, because pages often discard text that
// matches no option. A field with a calendar gets the text.
function isChosenFrom(element) {
  const found = pickerOf(element);
  if (!found || found.kind === "suggestions") return false;
  return !OTHER_POPUPS.has(attribute(found.element, "aria-haspopup"));
}
const OTHER_POPUPS = new Set(["dialog", "grid"]);

const controlOf = (named) =>
  (localName(named) === "label" ? named.control : TRANSPARENT.has(roleOf(named, localName(named))) && checkIn(named)) || named;

function checkedNow(element) {
  const tag = localName(element);
  return checkedOf(element, tag, roleOf(element, tag), (key) => attribute(element, `aria-${key}`));
}

// Waits up to some milliseconds until the control has the state. The page may redraw the control
// first.
export async function checkedAs(id, wanted, milliseconds) {
  const until = performance.now() + milliseconds;
  for (;;) {
    const named = identified(id);
    if (!named) return null;
    if (checkedNow(controlOf(named)) === wanted) return true;
    if (performance.now() >= until) return false;
    await new Promise((later) => setTimeout(later, 20));
  }
}
