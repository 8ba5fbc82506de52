// Sliders: reads a slider, and sets a native slider near a value. Keys do the rest, because some
// pages accept a value only from a key or the mouse.

import { kindOf } from "../accessibility/field_kinds.js";
import { roleOf } from "../accessibility/names_and_roles.js";
import { identified } from "../dom/element_ids.js";
import { attribute, localName } from "../dom/natives.js";
import { squash } from "../dom/text.js";

const numberIn = (text) => (text === null || text === "" ? null : Number(text));

// Whether keys move the element: a native range input, or an element with the slider role.
export const isSlider = (element) =>
  localName(element) === "input" ? element.type === "range" : roleOf(element, localName(element)) === "slider" && kindOf(element) === "";

function sliderState(element) {
  const native = localName(element) === "input";
  const aria = (key) => attribute(element, `aria-${key}`);
  const now = native ? element.value : aria("valuenow");
  return {
    now: numberIn(now),
    shown: squash(aria("valuetext") ?? now ?? ""),
    min: numberIn(native ? element.min || "0" : aria("valuemin")),
    max: numberIn(native ? element.max || "100" : aria("valuemax")),
    vertical: aria("orientation") === "vertical",
    native,
  };
}

export const shownValue = (element) => sliderState(element).shown;

// Waits up to some milliseconds until the slider shows another value.
export async function slider(id, before, milliseconds) {
  const until = performance.now() + milliseconds;
  for (;;) {
    const element = identified(id);
    if (!element) return null;
    const found = sliderState(element);
    if (before === null || found.now !== before.now || found.shown !== before.shown) return found;
    if (performance.now() >= until) return found;
    await new Promise((later) => setTimeout(later, 10));
  }
}

// Sets a native range one step beside a value, so that one key press leads there. Returns the
// nearest value that the browser accepts, and whether the key must raise the value.
export function slideNear(id, value) {
  const element = identified(id);
  if (!element) return null;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const before = element.value;
  set.call(element, String(value));
  const goal = element.value;
  if (goal === before) return { goal: Number(goal), isThere: true };
  set.call(element, before);
  const rises = Number(goal) > Number(before);
  if (element.step === "any") return { goal: Number(goal), rises };
  set.call(element, goal);
  rises ? element.stepDown() : element.stepUp();
  if (element.value !== before) element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  return { goal: Number(goal), rises };
}
