// Counts lines of text and controls that came into view or left it.

import { flatChildren, flatParent } from "../dom/flat_tree.js";
import { knowsShown, nowShown, wasRead, wasShown } from "../dom/last_shown.js";
import { data, firstChild, isConnected, isElement, isText, localName, nextSibling, parentNode } from "../dom/natives.js";
import { cutTo, squash } from "../dom/text.js";
import { GONE, isHiddenFromAll, showing, SHOWN } from "../dom/visibility.js";

const MAX_COUNTED = 3000;
const MAX_LINE = 80;
const DRAWS = new Set("input textarea select img canvas video audio iframe object embed".split(" "));

export const noLines = () => ({
  came: 0, text: "", isCut: false, visited: 0, most: MAX_COUNTED, seen: new Set(), lost: new Set(),
});

export function countCome(lines, node) {
  if (isText(node)) {
    const holder = textHolder(parentNode(node));
    if (holder) countText(lines, holder, data(node));
    return;
  }
  if (isElement(node)) forEach(lines, node, (element) => {
    const shown = showing(element);
    if (shown === SHOWN && isLine(element)) cameIntoView(lines, element);
    return shown !== GONE;
  });
}

export function countGone(lines, node, from) {
  if (isText(node)) {
    const holder = textHolder(from);
    if (holder && squash(data(node)) && isConnected(holder) && isShownNow(holder)) lines.lost.add(holder);
    return;
  }
  if (isElement(node)) forEach(lines, node, (element) => {
    if (knowsShown() && !wasShown(element)) return true;
    if (isLine(element)) lines.lost.add(element);
    nowShown(element, false);
    return !wasRead(element);
  });
}

export function countText(lines, element, text) {
  if (!squash(text) || !isShownNow(element)) return;
  cameIntoView(lines, element, text);
}

// Compares an element's content with the last snapshot.
export function countToggled(lines, root) {
  if (isInRead(root)) return;
  forEach(lines, root, (element) => {
    const shown = showing(element);
    const before = wasShown(element);
    if (shown === SHOWN && !before) {
      if (isLine(element)) cameIntoView(lines, element);
      nowShown(element, true);
    } else if (shown !== SHOWN && before) {
      if (isLine(element)) lines.lost.add(element);
      nowShown(element, false);
    }
    return (shown !== GONE || before) && !wasRead(element);
  });
}

function cameIntoView(lines, element, text = null) {
  if (lines.seen.has(element)) return;
  lines.seen.add(element);
  nowShown(element, true);
  lines.came += 1;
  if (!lines.text) lines.text = cutTo(squash(text ?? ownText(element)), MAX_LINE);
}

export function forEach(lines, root, judge) {
  const left = [root];
  while (left.length) {
    if (++lines.visited > lines.most) {
      lines.isCut = true;
      return;
    }
    const element = left.pop();
    const tag = localName(element);
    if (isHiddenFromAll(element, tag) || !judge(element)) continue;
    left.push(...flatChildren(element, tag).filter(isElement).reverse());
  }
}

// The parent element of a text; for a text in a shadow root, the host.
export const textHolder = (parent) => (parent && isElement(parent) ? parent : parent?.host ?? null);

export const isShownNow = (element) => showing(element) === SHOWN;

// Whether a snapshot read the element as a part of a larger one.
function isInRead(element) {
  for (let at = flatParent(element); at && isElement(at); at = flatParent(at)) if (wasRead(at)) return true;
  return false;
}

const isLine = (element) => DRAWS.has(localName(element)) || ownText(element) !== "";

export function ownText(element) {
  let text = "";
  for (let child = firstChild(element); child; child = nextSibling(child)) if (isText(child)) text += data(child);
  return squash(text);
}
