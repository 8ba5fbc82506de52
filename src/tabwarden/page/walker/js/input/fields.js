// Text fields: focus, set and read them.

import { fieldOf, kindOf } from "../accessibility/field_kinds.js";
import { roleOf } from "../accessibility/names_and_roles.js";
import { isDisabled, valueOf } from "../accessibility/states.js";
import { focusedNow } from "../document/active_element.js";
import { identified, identify } from "../dom/element_ids.js";
import { flatParent, isInside } from "../dom/flat_tree.js";
import {
  attribute, blurElement, bodyOf, boundingRect, checkVisibility, isConnected, isElement,
  localName, textContent,
} from "../dom/natives.js";
import { focusInView } from "../dom/own_scrolls.js";
import { keepSecret, takesSecret } from "../dom/secret_fields.js";
import { cutTo, squash } from "../dom/text.js";
import { RENDERED } from "../dom/visibility.js";
import { isTiny } from "../geometry/boxes.js";
import { clipperOf, isCutToNothing } from "../geometry/clipping.js";
import { nextFrame } from "../geometry/motion.js";
import { hitAt } from "../hits/hit_test.js";
import { withObstacle } from "./obstacle.js";
import { isSlider } from "./slider.js";
import { coverOver, elsewhereOf, isUnsure, refusedFocus, takeFocus } from "./take_focus.js";

// Editors that draw their own text (code editors, terminals) only catch input, in an edit context
// or in a tiny textarea. It follows the editor's caret, so we don't move the caret. It contains at
// most a part of the text.
function isCatcher(field) {
  if (field.editContext) return true;
  if (localName(field) !== "textarea") return false;
  for (let at = field; at; at = clipperOf(at, getComputedStyle(at))) {
    if (at === field ? isTiny(at) : isCutToNothing(at)) return true;
  }
  return false;
}

const EMBEDS = new Set(["iframe", "frame", "object", "embed", "fencedframe"]);

// Returns the field that receives a person's text, as `{id, isSecret}`; `id` is null if another
// element in this frame has the focus. Returns null if the focus is in another frame.
export function fieldInUse() {
  if (!document.hasFocus()) return null;
  const focused = focusedNow();
  if (focused && EMBEDS.has(localName(focused))) return null;
  if (!focused || kindOf(focused) !== "typed") return { id: null };
  return { id: identify(focused), isSecret: keepSecret(focused) };
}

// Focuses a field and puts the caret at its end, or selects its text. Returns how to enter text:
// "typed" (insert it), "keyed" (key by key, because the text is longer than the field allows and
// the page may move to the next field), "picked" (use `pick`), "slid" (use keys), or "" with the
// reason. If the page moved the focus, `elsewhere` is the element that receives the text. `isAll`:
// the text replaces all content. `isCatcher`: the caret stays where it is, and nothing is selected.
// `isRich`: lines become paragraphs.
export function focus(id, { select, length }) {
  const named = identified(id);
  if (!named) return { kind: "", reason: "gone" };
  const field = fieldOf(named);
  const notNow = isDisabled(field) ? "disabled" : field.readOnly === true ? "read_only"
    : checkVisibility(field, RENDERED) ? null : "hidden";
  if (notNow) return withObstacle({ kind: "", reason: notNow }, field);
  const stray = takeFocus(field);
  if (stray && !stray.isGivenOn) return refusedFocus(field, stray.now);
  const by = stray || isCatcher(field) ? null : coverOver(field);
  if (by) return { kind: "", reason: "obscured", by };
  if (isSlider(field)) return { kind: "slid", isUnsure: isUnsure() };
  const kind = kindOf(field);
  if (kind === "picked") return { kind, isUnsure: isUnsure() };
  const into = stray || !kind ? focusedNow() : field;
  if (!into || kindOf(into) !== "typed") return stray ? refusedFocus(field, stray.now) : { kind: "", reason: "no_text" };
  const catches = isCatcher(into);
  const isEmpty = (into.value ?? textContent(into)) === "";
  if (!catches) select ? selectAll(into) : caretToEnd();
  const room = into.maxLength >= 0 ? into.maxLength - (select ? 0 : into.value.length) : Infinity;
  return {
    kind: length > room ? "keyed" : "typed",
    isAll: select || isEmpty,
    isEmpty,
    isCatcher: catches,
    isRich: !catches && into.isContentEditable && getComputedStyle(into).webkitUserModify === "read-write",
    isMultiline: !catches && localName(into) !== "input",
    isUnsure: isUnsure(),
    isSecret: takesSecret(into),
    was: select && !catches && !takesSecret(into) ? cutTo((into.value ?? into.innerText).trim(), 200) : "",
    elsewhere: stray && elsewhereOf(field),
  };
}

// Does the same, but waits up to some milliseconds if the field does not currently accept text.
export async function focusLater(id, how, milliseconds) {
  const until = performance.now() + milliseconds;
  for (;;) {
    await nextFrame();
    const found = focus(id, how);
    if (!("obstacle" in found) || performance.now() >= until) return found;
  }
}

function selectAll(field) {
  if (typeof field.select === "function") field.select();
  else getSelection().selectAllChildren(field);
}

function caretToEnd() {
  // Also works in fields without setSelectionRange (email, number).
  getSelection().modify("move", "forward", "documentboundary");
}

// Sets a field that has a picker instead of text. `taken` is false if the value's format is wrong.
export function pick(id, value) {
  const named = identified(id);
  const field = named && fieldOf(named);
  if (!field) return null;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const before = field.value;
  set.call(field, value);
  // The browser replaces a malformed value with an empty or default value.
  const taken = field.type === "range"
    ? value.trim() !== "" && !Number.isNaN(Number(value))
    : field.type === "color"
      ? field.value === value.toLowerCase()
      : value === "" || field.value !== "";
  if (!taken) {
    set.call(field, before);
    return { taken, value: before };
  }
  for (const kind of ["input", "change"]) {
    field.dispatchEvent(new Event(kind, { bubbles: true, composed: kind === "input" }));
  }
  return { taken, value: field.value, ...invalidOf(field) };
}

// Returns the validation message of a field, from the browser or the page.
const invalidOf = (field) =>
  field.willValidate === true && field.validity.valid === false
    ? { invalid: cutTo(squash(field.validationMessage), 200) }
    : {};

// Leaves a text field as a person would, because many pages accept the text only then. The field
// gets the focus back, so that Enter still submits the form. `popup`: a popup such as a calendar is
// open beside the field, and a key must close it. Returns the field's new state.
export async function leave(id, isLast) {
  const named = identified(id);
  const field = named && fieldOf(named);
  if (!field || focusedNow() !== field || !IS_TEXT.has(localName(field)) || isCatcher(field)) return null;
  for (let frames = isLast ? POPUP_FRAMES : 0; !hasPopup(field) && frames > 0; frames--) await nextFrame();
  if (hasPopup(field)) return { popup: true };
  if (!isLast) return null;
  blurElement(field);
  await nextFrame();
  if (isConnected(field) && focusedNow() === bodyOf(document)) focusInView(field);
  return read(id);
}
// A popup that the text opens is drawn and placed after some frames.
const POPUP_FRAMES = 6;
const IS_TEXT = new Set(["input", "textarea"]);

function hasPopup(field) {
  const { left, right, top, bottom } = boundingRect(field);
  return [bottom + BESIDE, top - BESIDE].some((y) => {
    for (let at = hitAt((left + right) / 2, y); at && isElement(at) && !isInside(field, at); at = flatParent(at)) {
      if (FLOATS.has(getComputedStyle(at).position)) return true;
    }
    return false;
  });
}
const BESIDE = 20;
const FLOATS = new Set(["absolute", "fixed"]);

// Reads a field once its content changes, but waits at most some milliseconds, because some editors
// draw typed text later.
export async function readLater(id, milliseconds) {
  const before = read(id)?.value;
  const until = performance.now() + milliseconds;
  for (;;) {
    await nextFrame();
    const now = read(id);
    if (now?.value !== before || performance.now() >= until) return now;
  }
}

const MAX_LINES = 2000;

export function read(id) {
  const named = identified(id);
  if (!named) return null;
  const field = fieldOf(named);
  const tag = localName(field);
  const value = field.isContentEditable
    ? cutTo(field.innerText.trimEnd().toWellFormed(), MAX_LINES)
    : valueOf(field, tag, roleOf(field, tag), (key) => attribute(field, `aria-${key}`));
  const isOpen = kindOf(field) === "typed" && roleOf(field, tag) === "combobox" &&
    attribute(field, "aria-expanded") === "true" && attribute(field, "aria-haspopup") !== "dialog";
  return { value, ...invalidOf(field), elsewhere: elsewhereOf(field), isOpen };
}
