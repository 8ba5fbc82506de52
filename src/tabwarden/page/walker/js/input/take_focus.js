// Focuses a field, or returns why it can't get the focus. The field may be inert behind a dialog,
// or the page may focus another element, which would then receive the typed text.

import { withId } from "../accessibility/describe.js";
import { fieldOf, kindOf } from "../accessibility/field_kinds.js";
import { isDisabled } from "../accessibility/states.js";
import { focusedNow } from "../document/active_element.js";
import { identified } from "../dom/element_ids.js";
import { ancestors, flatParent, isInside } from "../dom/flat_tree.js";
import { all, bodyOf, isConnected, isElement, localName, matches } from "../dom/natives.js";
import { focusInView } from "../dom/own_scrolls.js";
import { isInert, showing, SHOWN } from "../dom/visibility.js";
import { isTiny } from "../geometry/boxes.js";
import { coverJson } from "../hits/cover.js";
import { modalOnTop } from "../hits/modal.js";
import { aimAt, WAYS_IN } from "./aim.js";

const MODAL = ':modal, [aria-modal="true"]';
const DIALOG = `${MODAL}, [role="dialog"], [role="alertdialog"]`;

function dialogAround(element) {
  for (let at = element; at && isElement(at); at = flatParent(at)) if (matches(at, DIALOG)) return at;
  return null;
}

// Dialogs that were open, without the field inside, when a field was last focused.
let shutting = [];

// Focuses a field. Returns null if the field then has the focus. Otherwise returns the focused
// element, and whether the page moved the focus to a new element (a search box that opens) rather
// than back.
export function takeFocus(field) {
  const before = focusedNow();
  const open = [...all(document, MODAL)].filter((one) => showing(one) === SHOWN);
  shutting = [dialogAround(before), ...open].filter((one) => one && !isInside(field, one));
  focusInView(hostOf(field));
  const now = focusedNow();
  if (holdsFocus(field, now)) return null;
  return { now, isGivenOn: now !== before && !shutting.includes(dialogAround(now)) };
}

// Whether to check again, because a dialog may take the focus back a moment later.
export const isUnsure = () => shutting.some((one) => isConnected(one) && matches(one, MODAL));

// In editable content, the focus belongs to the outermost editable element.
function hostOf(field) {
  let host = field;
  for (let at = field; at?.isContentEditable; at = at.parentElement) host = at;
  return host;
}

const holdsFocus = (field, now) =>
  isInside(now, field) || Boolean(now?.isContentEditable && isInside(field, now));

// Returns why a field that did not get the focus must not be typed into.
export function refusedFocus(field, now) {
  const dialog = [dialogAround(now), modalOnTop()].find((one) => one && !isInside(field, one));
  if (dialog) return { kind: "", reason: "obscured", by: coverJson(dialog, field) };
  const found = aimAt(field, WAYS_IN, 0);
  if (found.by && !isInside(field, identified(found.by.id))) return { kind: "", ...found };
  if (isInert(field)) return { kind: "", reason: "inert" };
  if (!kindOf(field)) return { kind: "", reason: "no_text" };
  return { kind: "", reason: "no_focus", elsewhere: elsewhereOf(field) };
}

// Focuses any element, not only a text field. Returns the reason why the element does not get the
// focus; "" if it has the focus.
export function giveFocus(id) {
  const named = identified(id);
  if (!named) return { reason: "gone" };
  const element = (localName(named) === "label" && named.control) || named;
  if (isDisabled(element)) return { reason: "disabled" };
  if (showing(element) !== SHOWN) return { reason: "hidden" };
  const lost = takeFocus(element);
  if (!lost) return { reason: "" };
  const refused = refusedFocus(element, lost.now);
  return refused.reason === "no_text" ? { ...refused, reason: "no_focus" } : refused;
}

// Returns the cover of a focused field, because a person could not see the typed text. Parts of the
// field's own widget may lie over the field.
export function coverOver(field) {
  const { reason, by } = aimAt(field, WAYS_IN, 0);
  if (reason !== "obscured" || isTiny(field)) return null;
  const cover = identified(by.id);
  const isOwn = (at) => isInside(cover, at) && [...all(at, FIELDS)].every((one) => one === field);
  return [...ancestors(field, 3)].some(isOwn) ? null : by;
}
const FIELDS = "input:not([type=hidden]), textarea, select, [contenteditable]";

// Returns the element that has the focus instead of the field, if any.
export function elsewhereOf(field) {
  const now = focusedNow();
  return now && now !== bodyOf(document) && !holdsFocus(field, now) ? withId(now) : null;
}

// Watches for some milliseconds whether the field loses the focus. Returns the reason, or null.
export async function focusLost(id, milliseconds) {
  const until = performance.now() + milliseconds;
  for (;;) {
    const named = identified(id);
    const field = named && fieldOf(named);
    const now = focusedNow();
    if (field && !holdsFocus(field, now) && shutting.includes(dialogAround(now))) {
      return refusedFocus(field, now);
    }
    if (performance.now() >= until) return null;
    await new Promise((later) => setTimeout(later, 10));
  }
}
