// Pickers: find the select, list box or combobox that an element is in, and choose in a select.

import { kindOf } from "../accessibility/field_kinds.js";
import { shownAs } from "../accessibility/labels.js";
import { nameOf } from "../accessibility/names.js";
import { roleOf } from "../accessibility/names_and_roles.js";
import { isDroppedDown } from "../accessibility/states.js";
import { identified, identify } from "../dom/element_ids.js";
import { flatParent } from "../dom/flat_tree.js";
import { attribute, isElement, localName } from "../dom/natives.js";
import { focusInView } from "../dom/own_scrolls.js";
import { cutTo, MAX_NAME, squash } from "../dom/text.js";
import { isShown } from "../geometry/boxes.js";
import { ownLists, seenClosed } from "./list_boxes.js";
import { isMultiple, matched, optionsOf, refusal } from "./options.js";

// Returns the picker that is or contains the element.
export function pickerOf(named) {
  const start = localName(named) === "label" && named.control ? named.control : named;
  for (let at = start; at && isElement(at); at = flatParent(at)) {
    const tag = localName(at);
    if (tag === "select") return { element: at, kind: "select" };
    if (tag === "input" && at.list) return { element: at, kind: "suggestions" };
    const role = roleOf(at, tag);
    if (role === "listbox") return { element: at, kind: "list" };
    if (role === "combobox" || attribute(at, "aria-haspopup") === "listbox") {
      return { element: at, kind: "popup" };
    }
  }
  return null;
}

// Describes an element's picker, with the picker's id. Returns null if there is no picker.
export function picker(id) {
  const named = identified(id);
  const found = named && pickerOf(named);
  if (!found) return named ? null : { kind: "gone" };
  const { element, kind } = found;
  const expanded = attribute(element, "aria-expanded") === "true";
  if (kind === "popup" && !expanded) seenClosed(element);
  const role = roleOf(element, localName(element));
  return {
    kind,
    id: identify(element),
    role,
    name: cutTo(nameOf(element, localName(element), role), MAX_NAME),
    editable: kindOf(element) === "typed" && element.readOnly !== true,
    multiple: kind === "select" ? element.multiple : isMultiple(element, ownLists(element)),
    expanded,
  };
}

// Returns the text that a suggestion (datalist) puts into its input.
export function suggestion(id, wanted, by) {
  const element = identified(id);
  if (!element?.list) return { reason: "gone" };
  const options = optionsOf({ element, kind: "suggestions" });
  const found = matched(options, wanted, by);
  return refusal(options, found, wanted, by) ?? { text: found[0].value };
}

// Selects options, and dispatches the same events as a person's choice.
export function choose(id, wanted, by) {
  const element = identified(id);
  if (!element) return { reason: "gone" };
  const options = optionsOf({ element, kind: "select" });
  const found = matched(options, wanted, by);
  const refused = refusal(options, found, wanted, by);
  if (refused) return refused;
  focusInView(element);
  const chosen = new Set(found.map((one) => one.option));
  const changes = options.filter((one) => one.selected !== chosen.has(one.option));
  for (const { option } of changes) option.selected = chosen.has(option);
  if (changes.length) {
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return {
    selected: [...element.selectedOptions].map((one) => squash(shownAs(one))),
    asked: found.map((one) => one.label),
    isOpen: isDroppedDown(element),
    isHidden: !isShown(element) || getComputedStyle(element).opacity === "0",
  };
}
