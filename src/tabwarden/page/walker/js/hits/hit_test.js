// Finds what is at a point of the viewport, through shadow roots.

import { describe } from "../accessibility/describe.js";
import { identify } from "../dom/element_ids.js";
import { holdsFrame } from "../dom/flat_tree.js";
import { elementAt, getRootNode } from "../dom/natives.js";
import { shadowRoot } from "../dom/shadow_roots.js";
import { frameMap } from "../geometry/frames.js";
import { fromScreen } from "../geometry/viewport.js";

// Returns the innermost element at a point, through open shadow roots and the closed ones around
// `sought`.
export function hitAt(x, y, sought = null) {
  const closed = closedRootsAround(sought);
  const rootOfHost = (host) => shadowRoot(host) ?? closed.get(host);
  let hit = elementAt(document, x, y);
  for (let root = hit && rootOfHost(hit); root; root = hit && rootOfHost(hit)) {
    let inner = root.elementFromPoint(x, y);
    // For slotted text, the result is the host, although an element in the shadow tree draws it.
    if (inner === hit) inner = root.elementsFromPoint(x, y)[0];
    if (!inner || getRootNode(inner) !== root) break;
    hit = inner;
  }
  return hit;
}

const NO_ROOTS = new Map();

export function closedRootsAround(element) {
  let found = NO_ROOTS;
  let root = element && getRootNode(element);
  while (root && root !== document && root.host) {
    if (root.mode === "closed") {
      if (found === NO_ROOTS) found = new Map();
      found.set(root.host, root);
    }
    root = getRootNode(root.host);
  }
  return found;
}

// Returns the innermost element at a point. For an iframe, adds the point in its document.
export function under(x, y) {
  const point = fromScreen(x, y);
  const hit = hitAt(point.x, point.y);
  if (!hit) return null;
  const id = identify(hit);
  const found = { ...describe(hit), id };
  if (!holdsFrame(hit, found.tag)) return found;
  return { ...found, ...frameMap(hit).in(point.x, point.y) };
}
