// Finds which records of an outline are in the viewport.

import { boundingRect } from "../dom/natives.js";

const SEEN = 1;
const BEFORE = 2; // above or left of the viewport
const AFTER = 3;
const BOXLESS = 4; // its children may have boxes
const MANY = 64;
const STEP = 15;

// Returns which records are in the viewport. If an element is out of view, its children are not
// measured. Of many siblings, only a sample is measured, and then the siblings between two that are
// not on the same side of the viewport. With `each`, all records are measured.
export function inView(depths, elements, each = false) {
  const seen = new Int8Array(elements.length);
  const [width, height] = [innerWidth, innerHeight];
  const ask = (at) => {
    if (seen[at]) return seen[at];
    const box = boundingRect(elements[at]);
    const is = box.top < height && box.bottom > 0 && box.left < width && box.right > 0;
    const side = box.bottom <= 0 || (box.top < height && box.right <= 0) ? BEFORE : AFTER;
    return (seen[at] = is ? SEEN : box.width && box.height ? side : BOXLESS);
  };
  const count = depths.length;
  for (let at = 0, end = 0; at < count; at = end) {
    const depth = depths[at];
    while (end < count && depths[end] === depth) end++;
    const step = end - at > MANY && !each ? STEP : 1;
    for (let from = at; from < end; from += step) {
      const to = Math.min(from + step, end - 1);
      if (ask(from) === ask(to) && seen[to] !== SEEN) continue;
      for (let one = from - step; one < to + step; one++) if (one >= at && one < end) ask(one);
    }
    if (!each && end < count && depths[end] > depth && (ask(end - 1) === BEFORE || ask(end - 1) === AFTER)) {
      while (end < count && depths[end] > depth) end++;
    }
  }
  const ranges = [];
  for (let at = 0, was = false; at <= elements.length; at++) {
    const is = seen[at] === SEEN;
    if (is !== was) ranges.push(at);
    was = is;
  }
  return ranges;
}
