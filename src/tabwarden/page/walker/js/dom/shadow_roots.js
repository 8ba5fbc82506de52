// Shadow roots: open roots, and closed roots that the browser has passed to the walker.

import { all, getRootNode, openRoot } from "./natives.js";
import { duringWalk } from "./walk.js";

// Closed shadow roots by their hosts. The browser passes them one at a time (`closed.py`).
const closedRoots = new WeakMap();
let anyClosed = false;
// Whether any shadow root was found. Until then, every visited node is in the document.
export let anyRoots = false;

export const closedRoot = (host) => (anyClosed ? closedRoots.get(host) ?? null : null);

export function shadowRoot(element) {
  const root = openRoot(element) ?? closedRoot(element);
  if (root !== null) anyRoots = true;
  return root;
}

export function opened(root) {
  anyClosed = true;
  closedRoots.set(root.host, root);
}

// Yields the document, then every open shadow root in it.
export function* openRoots(root = document) {
  yield root;
  for (const element of all(root, "*")) {
    const inner = shadowRoot(element);
    if (inner) yield* openRoots(inner);
  }
}

// Returns an element's root. During a walk, reading the root of each element would be slow.
export const rootAround = (element) => (anyRoots ? getRootNode(element) : documentNow ?? document);
export const isInDocument = (element) => !anyRoots || getRootNode(element) === document;

// The document during a walk. Reading the window's property costs as much as three getters.
let documentNow = null;
duringWalk(
  () => (documentNow = document),
  () => (documentNow = null),
);
