// Where elements are in this viewport now, as far as they show.

import { identified } from "../dom/element_ids.js";
import { boxesOf, hasArea } from "./boxes.js";
import { seenOf } from "../capture/shown_part.js";

// Returns [x, y, width, height] for each id, or null if nothing of the element shows.
export const boxesInView = (ids) =>
  ids.map((id) => {
    const element = identified(id);
    const first = element && boxesOf(element)[0];
    if (!first) return null;
    const seen = seenOf(element, first);
    const left = Math.max(0, seen.left);
    const top = Math.max(0, seen.top);
    const width = Math.min(innerWidth, seen.right) - left;
    const height = Math.min(innerHeight, seen.bottom) - top;
    return hasArea({ width, height }) && width > 0 && height > 0 ? [left, top, width, height] : null;
  });
