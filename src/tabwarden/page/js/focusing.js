// Whether a field gets the focus, and what keeps it from it. It may be inert behind a dialog, or the
// page may give the focus to another: what is typed would go in there.

const MODAL = ':modal, [aria-modal="true"]';
const DIALOG = `${MODAL}, [role="dialog"], [role="alertdialog"]`;

const dialogAround = (element) => {
  for (let at = element; at && isElement(at); at = flatParent(at)) if (matches(at, DIALOG)) return at;
  return null;
};

// The dialogs that stood open, without the field, when the focus was last given to one.
let shutting = [];

// Give it the focus. Null when it has it then; else which element does, and whether the page gave it
// on: to what came up for it, as a search does, and not back to where it was.
const takeFocus = (field) => {
  const before = focusedNow();
  const open = [...all(document, MODAL)].filter((one) => showing(one) === SHOWN);
  shutting = [dialogAround(before), ...open].filter((one) => one && !isInside(field, one));
  focusElement(hostOf(field));
  const now = focusedNow();
  if (holdsFocus(field, now)) return null;
  return { now, isGivenOn: now !== before && !shutting.includes(dialogAround(now)) };
};

// Whether to look again, as dialogs may take the focus back a moment later.
const isUnsure = () => shutting.some((one) => isConnected(one) && matches(one, MODAL));

// A part of what is edited as a whole has the focus with it.
const hostOf = (field) => {
  let host = field;
  for (let at = field; at?.isContentEditable; at = at.parentElement) host = at;
  return host;
};

const holdsFocus = (field, now) =>
  isInside(now, field) || Boolean(now?.isContentEditable && isInside(field, now));

// Why nothing may be typed into a field that did not get the focus.
const refusedFocus = (field, now) => {
  const dialog = [dialogAround(now), modalOnTop()].find((one) => one && !isInside(field, one));
  if (dialog) return { kind: "", reason: "obscured", by: coverJson(dialog, field) };
  const found = aimAt(field, WAYS_IN, false);
  if (found.by && !isInside(field, identified(found.by.id))) return { kind: "", ...found };
  if (isInert(field)) return { kind: "", reason: "it is inert", code: "inert" };
  if (!kindOf(field)) return { kind: "", reason: NO_TEXT };
  return { kind: "", reason: "it does not get the focus", elsewhere: elsewhereOf(field) };
};

const isInert = (element) => {
  for (let at = element; at && isElement(at); at = flatParent(at)) if (hasAttribute(at, "inert")) return true;
  return false;
};

// What has the focus instead of a field, if anything.
const elsewhereOf = (field) => {
  const now = focusedNow();
  return now && now !== bodyOf(document) && !holdsFocus(field, now) ? withId(now) : null;
};

// For some milliseconds: what refuses the focus of a field after all; null when nothing does.
const focusLost = async (id, milliseconds) => {
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
};
