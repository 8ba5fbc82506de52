// Finds elements that may have a closed shadow root, which scripts can't see: custom elements,
// empty elements that are drawn, and elements with undrawn children. A walk collects them. Each
// element is reported once, and again after a change.

import {
  all, boundingRect, checkVisibility, firstChild, firstElementChild, localName, matches,
} from "./natives.js";
import { shadowRoot } from "./shadow_roots.js";
import { duringWalk } from "./walk.js";

const MAX_SUSPECTS = 500;
const MAX_EMPTY = 200; // the limit for elements that are not custom; the next walk reports more
const HOSTS = new Set(
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);
const suspectedAs = new WeakMap();
let gathered = null; // a list during a search
let empty = 0;

// The suspects of the last search.
export let suspects = [];

function beginSuspects() {
  gathered = [];
  empty = 0;
}

function endSuspects() {
  suspects = gathered;
  gathered = null;
}

duringWalk(beginSuspects, endSuspects);

// Searches the whole document without a walk.
export function suspectAll() {
  beginSuspects();
  boxesLeft = MAX_BOXES;
  try {
    suspectIn(document);
  } finally {
    endSuspects();
  }
  return suspects.length;
}

const MAX_BOXES = 1000;
let boxesLeft = 0;

function suspectIn(root) {
  for (const element of all(root, "*")) {
    const inner = shadowRoot(element);
    if (inner) {
      suspectIn(inner);
      continue;
    }
    const tag = localName(element);
    const custom = tag.includes("-");
    if (!custom && (!HOSTS.has(tag) || (firstChild(element) && !isPlaceless(firstElementChild(element))))) continue;
    if (--boxesLeft < 0) return;
    suspect(element, tag);
  }
}

const isPlaceless = (child) =>
  child !== null && !checkVisibility(child) && getComputedStyle(child).display === "";

export function suspect(element, tag = localName(element)) {
  const custom = tag.includes("-");
  if (gathered.length >= MAX_SUSPECTS || !(custom || HOSTS.has(tag))) return;
  const { width, height } = boundingRect(element);
  if (!custom && !(width && height)) return;
  const seen = `${custom && matches(element, ":defined")} ${width} ${height}`;
  if (suspectedAs.get(element) === seen) return;
  if (!custom && ++empty > MAX_EMPTY) return;
  suspectedAs.set(element, seen);
  gathered.push(element);
}
