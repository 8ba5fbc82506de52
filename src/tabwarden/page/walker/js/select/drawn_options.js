// Finds drawn options. A list box may exist only for screen readers, clipped to nothing, while
// other elements show the options. A long list may draw only the part in view.

import { contentText } from "../accessibility/names_and_roles.js";
import { ancestors, isInside } from "../dom/flat_tree.js";
import { all, localName } from "../dom/natives.js";
import { noteOwnScroll } from "../dom/own_scrolls.js";
import { squash } from "../dom/text.js";
import { isCutToNothing } from "../geometry/clipping.js";

export const MAX_SCROLLS = 60;

// Returns a list box's options. If it is invisible, returns similar elements near it, if any.
export function offeredIn(list) {
  const own = [...all(list, "[role=option]")];
  if (!isCutToNothing(list)) return own;
  for (const at of ancestors(list)) {
    const drawn = [...all(at, "[aria-selected]")].filter((one) => !isInside(one, list));
    if (drawn.length) return drawn;
  }
  return own;
}

// Scrolls on as the wheel does, or back to the start. Returns whether anything scrolled.
export function scrollOn(option, toStart) {
  for (const at of ancestors(option)) {
    if (at.scrollHeight - at.clientHeight < 1 || getComputedStyle(at).overflowY === "visible") continue;
    const before = at.scrollTop;
    at.scrollTop = toStart ? 0 : before + 0.8 * at.clientHeight;
    noteOwnScroll(at);
    if (at.scrollTop !== before) return true;
  }
  return false;
}

// Returns the text beside a field in its widget. Some widgets show the choice there.
export function saidBeside(field) {
  for (const at of ancestors(field)) {
    if ([...all(at, "input, select, textarea, button")].some((one) => one !== field)) return "";
    const text = squash(contentText(at, localName(at), field));
    if (text) return text;
  }
  return "";
}
