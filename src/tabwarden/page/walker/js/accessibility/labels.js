// Maps controls to their labels. A walk collects the labels once for each root, because
// `element.labels` searches the tree each time.

import {
  all, attribute, createTreeWalker, data, firstElementChild, isElement, localName, parentNode,
} from "../dom/natives.js";
import { rootAround } from "../dom/shadow_roots.js";
import { squash } from "../dom/text.js";
import { NEVER } from "../dom/visibility.js";

let labelsOf = new Map();

export function forgetLabels() {
  labelsOf = new Map();
}

export function learnLabels(root) {
  if (labelsOf.has(root)) return;
  labelsOf.set(root, null);
  for (const label of all(root, "label")) {
    const control = label.control;
    if (!control) continue;
    const known = labelsOf.get(control);
    if (known) known.push(label);
    else labelsOf.set(control, [label]);
  }
}

export function labelsFor(element) {
  const root = rootAround(element);
  if (labelsOf.size && labelsOf.has(root)) return labelsOf.get(element) ?? [];
  if (element.labels) return element.labels;
  // A form-associated custom element exposes its labels only to its own scripts.
  return [...all(root, "label")].filter((label) => label.control === element);
}

// Returns the control that shows a label's text as its name. A widget can be drawn in place of a
// control that is hidden from assistive technology, as select2 does.
export function controlNamedBy(label) {
  const { control } = label;
  return control && attribute(control, "aria-hidden") !== "true" ? control : null;
}

// Returns an option's label; otherwise its text, with the alternatives of images in it.
export function shownAs(option) {
  if (firstElementChild(option) === null || attribute(option, "label")) return option.label || option.text;
  let text = "";
  const nodes = createTreeWalker(document, option, TEXTS_AND_ELEMENTS);
  while (nodes.nextNode() && text.length < MAX_OPTION) {
    const node = nodes.currentNode;
    if (isElement(node)) text += ` ${attribute(node, "alt") ?? ""} `;
    else if (!NEVER.has(localName(parentNode(node)))) text += data(node);
  }
  return squash(text);
}
const TEXTS_AND_ELEMENTS = 5; // NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT
const MAX_OPTION = 2000;
