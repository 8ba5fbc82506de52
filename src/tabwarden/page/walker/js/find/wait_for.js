// Waits for what a document shows. It looks often, but spends at most a tenth of the time on it.

import { describe } from "../accessibility/describe.js";
import { identify } from "../dom/element_ids.js";
import { openRoots } from "../dom/flat_tree.js";
import { all, bodyOf } from "../dom/natives.js";
import { squash } from "../dom/text.js";
import { isShown } from "../geometry/boxes.js";
import { outlineOf } from "../outline/outline.js";

const LOOK_MS = 50;

export function isSelector(selector) {
  try {
    new DocumentFragment().querySelector(selector);
    return true;
  } catch {
    return false;
  }
}

// Whether the document shows a text, as a snapshot would, or an element. Returns the element's id,
// role and name.
export function present(kind, what) {
  if (innerWidth === 0 || innerHeight === 0) return null; // the frame is not shown
  return kind === "text" ? shows(what) : shownMatch(what);
}

function shows(text) {
  const wanted = squash(text).toLowerCase();
  const has = (some) => typeof some === "string" && some.toLowerCase().includes(wanted);
  const body = bodyOf(document);
  if (body && has(squash(body.innerText ?? ""))) return {};
  const { names, states } = outlineOf();
  return names.some(has) || states.some((state) => has(state?.value)) ? {} : null;
}

function shownMatch(selector) {
  for (const root of openRoots()) {
    for (const element of all(root, selector)) {
      if (isShown(element)) return { ...describe(element), id: identify(element) };
    }
  }
  return null;
}

// Waits up to some milliseconds until something is present, or absent. Returns null if that fails.
export async function awaited(kind, what, gone, milliseconds) {
  const until = performance.now() + milliseconds;
  for (;;) {
    const began = performance.now();
    const found = present(kind, what);
    if (gone ? !found : found) return found ?? {};
    const now = performance.now();
    if (now >= until) return null;
    await new Promise((later) => setTimeout(later, Math.max(LOOK_MS, 10 * (now - began))));
  }
}
