// The choice that a widget shows: its value, or the texts (often chips) in the box around it. A
// chosen option may be removed from the list, so the list alone is not enough.

import { kindOf } from "../accessibility/field_kinds.js";
import { roleOf } from "../accessibility/names_and_roles.js";
import { valueOf } from "../accessibility/states.js";
import { ancestors, flatChildren, isInside } from "../dom/flat_tree.js";
import {
  all, attribute, boundingRect, data, isElement, isText, localName, matches, textContent,
} from "../dom/natives.js";
import { squash } from "../dom/text.js";
import { isShown, isTiny } from "../geometry/boxes.js";

const MAX_HIGH = 300;
const MAX_LABEL = 200;
const OTHER_FIELDS = "input, textarea, select, [contenteditable=true], [role=combobox], [role=textbox], [role=slider]";
const NOT_SHOWN = "[aria-hidden=true]";

// Returns the largest box around a field that contains no other field.
function widgetAround(field) {
  const isOther = (one) =>
    one !== field && !isInside(one, field) && !isInside(field, one) && !matches(one, NOT_SHOWN) &&
    isShown(one) && !isTiny(one);
  let widget = field;
  for (const at of ancestors(field)) {
    if (boundingRect(at).height > MAX_HIGH || [...all(at, OTHER_FIELDS)].some(isOther)) break;
    widget = at;
  }
  return widget;
}

// A list that has unchosen options. A list of chips contains only chosen options.
const isOffer = (element) =>
  attribute(element, "role") === "listbox" &&
  [...all(element, "[role=option]")].some((one) => attribute(one, "aria-selected") !== "true");

export function fieldValue(element) {
  const tag = localName(element);
  return squash(valueOf(element, tag, roleOf(element, tag), (key) => attribute(element, `aria-${key}`)));
}

// Returns the texts that the widget shows outside its list, each with its element.
function textsOf(field) {
  const found = [];
  const read = (element) => {
    const tag = localName(element);
    if (tag === "label" || tag === "select" || isOffer(element) || !isShown(element)) return;
    const whole = squash(tag === "input" ? fieldValue(element) : textContent(element).slice(0, 4 * MAX_LABEL));
    if (whole && whole.length <= MAX_LABEL) found.push({ element, text: whole });
    for (const child of flatChildren(element, tag)) {
      if (isElement(child)) read(child);
      else if (isText(child) && squash(data(child)) && squash(data(child)) !== whole) {
        found.push({ element, text: squash(data(child)) });
      }
    }
  };
  read(widgetAround(field));
  return found;
}

// Returns a function that tests whether a widget currently shows a label. Text in its fields may
// only filter the list, so the caller decides whether that text counts.
export function displays(field, { typed }) {
  const texts = textsOf(field)
    .filter(({ element }) => typed || kindOf(element) !== "typed")
    .map((one) => one.text.toLowerCase());
  const split = texts.flatMap((text) => text.split(/\s*[,;]\s*/));
  const shown = new Set([...texts, ...split]);
  return (label) => shown.has(label.toLowerCase());
}

// Returns the chips beside the one that shows a label: elements of the same kind, with their labels.
export function chipsLike(field, label) {
  const low = label.toLowerCase();
  const own = textsOf(field).filter((one) => one.text.toLowerCase() === low).map((one) => one.element);
  const widget = widgetAround(field);
  for (let at = own.at(-1); at && at !== widget; at = at.parentElement) {
    const alike = [...(at.parentElement?.children ?? [])].filter(
      (one) => localName(one) === localName(at) && one.classList[0] === at.classList[0] && isShown(one),
    );
    if (alike.length > 1) return alike.map((one) => ({ element: one, label: labelOfChip(one) }));
  }
  return [];
}

// A chip may draw a close icon before or after its label.
function labelOfChip(chip) {
  const texts = [];
  const read = (element) => {
    for (const child of flatChildren(element, localName(element))) {
      if (isElement(child)) read(child);
      else if (isText(child) && squash(data(child)).length > 1) texts.push(squash(data(child)));
    }
  };
  read(chip);
  return texts[0] ?? "";
}
