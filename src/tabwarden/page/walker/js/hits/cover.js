// Describes the cover of an element, with buttons that may remove it.

import { withId } from "../accessibility/describe.js";
import { roleOf } from "../accessibility/names_and_roles.js";
import { flatChildren, flatParent, isInside } from "../dom/flat_tree.js";
import { isElement, localName } from "../dom/natives.js";
import { showing, SHOWN } from "../dom/visibility.js";

const MOST_BUTTONS = 20; // Python shows a few of them
const MOST_SEARCHED = 2000;
const SAYS_WHAT = new Set("dialog alertdialog alert banner menu listbox tooltip status iframe".split(" "));

export function coverJson(hit, element) {
  const cover = coverOf(hit, element);
  const buttons = isInside(element, cover) ? [] : buttonsIn(cover).map(withId);
  return { ...withId(cover), buttons };
}

// Returns the whole cover instead of the hit element: the dialog or banner around it. If there is
// none, returns the largest floating part that does not contain the element.
export function coverOf(hit, element) {
  let floating = null;
  for (let at = hit; at && isElement(at) && !isInside(element, at); at = flatParent(at)) {
    if (SAYS_WHAT.has(roleOf(at, localName(at)))) return at;
    if (getComputedStyle(at).position !== "static") floating = at;
  }
  return floating ?? hit;
}

// Returns buttons and links in the cover, such as a banner's "Accept" or a dialog's "Close".
function buttonsIn(cover) {
  const found = [];
  let searched = 0;
  const search = (element) => {
    const tag = localName(element);
    if (["button", "link"].includes(roleOf(element, tag)) && showing(element) === SHOWN) {
      found.push(element);
      return;
    }
    for (const child of flatChildren(element, tag)) {
      if (found.length >= MOST_BUTTONS || ++searched > MOST_SEARCHED) return;
      if (isElement(child)) search(child);
    }
  };
  search(cover);
  return found;
}
