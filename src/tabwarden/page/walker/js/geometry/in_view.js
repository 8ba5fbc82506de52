// The current positions of the visible parts of elements in this viewport.

import { controlWith } from "../dom/element_ids.js";
import { boxesOf, hasArea, unionOf } from "./boxes.js";
import { seenOf } from "./clipping.js";
import { drawnWithId } from "./drawn_checks.js";

// Returns [x, y, width, height] for each id, in view or not, or null for an element without a box.
export const boxes = (ids) =>
  ids.map((id) => {
    const element = controlWith(id) ? null : drawnWithId(id);
    const all = element ? boxesOf(element) : [];
    if (!all.length) return null;
    const { left, top, right, bottom } = unionOf(all);
    return [left, top, right - left, bottom - top];
  });

// Returns [x, y, width, height] for each id, or null if no part of the element is visible.
// `isWhole`: the whole page counts as visible, not only the viewport.
export const boxesInView = (ids, isWhole = false) =>
  ids.map((id) => {
    const element = controlWith(id) ? null : drawnWithId(id);
    const first = element && boxesOf(element)[0];
    if (!first) return null;
    const seen = seenOf(element, first);
    const view = isWhole && self.top === self ? seen : { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const left = Math.max(view.left, seen.left);
    const top = Math.max(view.top, seen.top);
    const width = Math.min(view.right, seen.right) - left;
    const height = Math.min(view.bottom, seen.bottom) - top;
    return hasArea({ width, height }) && width > 0 && height > 0 ? [left, top, width, height] : null;
  });
