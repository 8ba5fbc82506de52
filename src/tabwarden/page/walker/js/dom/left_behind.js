// Parts of the page that a closed dialog left behind: still hidden by aria-hidden or inert,
// although no dialog is open. Such a part is visible, and is most of the visible page.

import {
  all, allElements, attribute, bodyOf, checkVisibility, contains, firstElementChild, hasAttribute, isElement,
  localName, nextSibling, parentNode, rootOf,
} from "./natives.js";
import { squash } from "./text.js";
import { isHiddenFromAll, NEVER, RENDERED, showing, SHOWN } from "./visibility.js";

const NOTHING = new Set();
// If less than 1 / SHARE of the elements are in such parts, they are not most of the page. Counting
// is cheap.
const SHARE = 4;

export function leftBehind() {
  const body = bodyOf(document);
  if (!body) return NOTHING;
  const found = [];
  let count = 0;
  for (const one of all(document, "[aria-hidden=true], [inert]")) {
    if (!isOutermost(one, body) || !firstElementChild(one) || (found.length && contains(found.at(-1), one))) continue;
    if ((!hasAttribute(one, "inert") && !isHiddenFromAll(one, localName(one))) || showing(one) !== SHOWN) continue;
    found.push(one);
    count += all(one, "*").length;
  }
  if (!count || count * SHARE < allElements(document, "*").length || shownDialogs().length) return NOTHING;
  const size = (element) => squash(element.innerText ?? "").length;
  const whole = size(rootOf(document));
  const left = unlike(found);
  const hidden = left.reduce((sum, one) => sum + size(one), 0);
  return hidden * 2 > whole || !whole ? new Set(left) : NOTHING;
}

const SHOWS_DIALOG = "[role=dialog], [role=alertdialog], [aria-modal=true], dialog[open]";

// Returns the dialogs for which a page may have hidden the rest of itself by aria-hidden or inert.
export const shownDialogs = () => [...all(document, SHOWS_DIALOG)].filter((one) => checkVisibility(one, RENDERED));

// Omits elements of a kind, such as the carousel slides that are not currently shown.
function unlike(elements) {
  const looks = (one) => `${localName(one)} ${attribute(one, "class")}`;
  const counts = new Map();
  for (const one of elements) counts.set(looks(one), (counts.get(looks(one)) ?? 0) + 1);
  return elements.filter((one) => counts.get(looks(one)) === 1);
}

// Dialogs are appended to the body, so a page hides the body's other children for them. An
// application may be the only child.
function isOutermost(element, body) {
  for (let at = element; at && isElement(at); at = parentNode(at)) {
    const around = parentNode(at);
    if (at === body || at === rootOf(document) || around === body || around === rootOf(document)) return true;
    if (!isOnly(around)) return false;
  }
  return false;
}

function isOnly(element) {
  for (let at = firstElementChild(parentNode(element)); at; at = nextSibling(at)) {
    if (at !== element && isElement(at) && !NEVER.has(localName(at))) return false;
  }
  return true;
}
