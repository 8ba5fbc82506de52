// Waits until a document shows a text or an element. Checks often, but for at most a tenth of the
// time.

import { describe } from "../accessibility/describe.js";
import { isDisabled } from "../accessibility/states.js";
import { identified, identify } from "../dom/element_ids.js";
import { all, closest, rootOf } from "../dom/natives.js";
import { holdsSecret } from "../dom/secret_fields.js";
import { openRoots } from "../dom/shadow_roots.js";
import { holding } from "../dom/text.js";
import { innermost } from "./find.js";
import { isOpenToView } from "../geometry/clipping.js";
import { drawnOf } from "../geometry/drawn_checks.js";
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

// Whether the document shows a text, as a snapshot would, or an element, or contains an element
// (match) that may be hidden. Returns the element's id, role and name.
export function present(kind, what) {
  if (kind === "match") return firstMatch(what, () => true);
  if (innerWidth === 0 || innerHeight === 0) return null; // the frame is not shown
  return kind === "text" ? shows(what) : firstMatch(what, isOpenToView);
}

function shows(text) {
  const has = holding(text);
  const root = rootOf(document);
  if (root && has(root.innerText) && !isFoldedText(root, has)) return {};
  const { names, states } = outlineOf();
  return names.some(has) || states.some((state) => has(state?.value)) ? {} : null;
}

// Whether a text is only in collapsed boxes, which cut it off.
function isFoldedText(root, has) {
  const found = [...innermost(root, has)];
  return found.length > 0 && !found.some(isOpenToView);
}

function firstMatch(selector, isMeant) {
  for (const root of openRoots()) {
    for (const element of all(root, selector)) {
      if (isMeant(element)) return { ...describe(element), id: identify(element) };
    }
  }
  return null;
}

const isOff = (element) => isDisabled(element) || closest(element, "[aria-disabled=true]") !== null;

const TESTS = {
  visible: (element) => isOpenToView(drawnOf(element)),
  hidden: (element) => !isOpenToView(drawnOf(element)),
  enabled: (element) => !isOff(element),
  disabled: isOff,
  gone: () => false,
};

function meets(id, state, text) {
  const element = identified(id);
  if (!element) return { gone: true };
  const isSo = state === null || TESTS[state](element);
  return isSo && (text === null || hasText(element, text)) ? {} : null;
}

function hasText(element, text) {
  const has = holding(text);
  return has(element.innerText ?? element.textContent) ||
    (!holdsSecret(element) && has(element.value)) || has(describe(element).name);
}

// Waits up to some milliseconds until a text or an element is present, or absent. Returns null on a
// timeout.
export async function awaited(kind, what, gone, milliseconds) {
  return looking(() => {
    const found = present(kind, what);
    return gone ? (found ? null : {}) : found;
  }, milliseconds);
}

// Waits up to some milliseconds until an element has a state and a text; null means any. Returns
// null on a timeout, and `gone` if the element is not in the document.
export async function elementAwaited(id, state, text, milliseconds) {
  return looking(() => meets(id, state, text), milliseconds);
}

async function looking(look, milliseconds) {
  const until = performance.now() + milliseconds;
  for (;;) {
    const began = performance.now();
    const found = look();
    if (found) return found;
    const now = performance.now();
    if (now >= until) return null;
    await new Promise((later) => setTimeout(later, Math.max(LOOK_MS, 10 * (now - began))));
  }
}
