// Finds the visible part of an element: its box, clipped by the boxes around it.

import { drawnWithId } from "../accessibility/drawn_checks.js";
import { isInside } from "../dom/flat_tree.js";
import { scrollIntoView } from "../dom/natives.js";
import { GONE, showing } from "../dom/visibility.js";
import { boxesOf, paddingBox } from "../geometry/boxes.js";
import { clipperOf } from "../geometry/clipping.js";
import { frameBox } from "../geometry/frames.js";
import { hitAt } from "../geometry/hit_test.js";
import { inViewport } from "../geometry/viewport.js";
import { coverOf } from "../input/cover.js";

export function shownPart(id) {
  const element = drawnWithId(id);
  if (!element) return null;
  let { whole, seen } = partOf(element);
  if (!inViewport(seen) || areaOf(seen) < areaOf(whole)) {
    scrollIntoView(element, NEAREST);
    ({ whole, seen } = partOf(element));
  }
  if (isUnderBar(element, seen)) {
    scrollIntoView(element, MIDDLE);
    ({ whole, seen } = partOf(element));
  }
  const box = frameBox(id);
  const padding = (side) => parseFloat(getComputedStyle(element)[`padding${side}`]) || 0;
  return {
    whole: listed(whole),
    seen: listed(seen),
    content: [
      box.contentX,
      box.contentY,
      (element.clientWidth - padding("Left") - padding("Right")) * box.scaleX,
      (element.clientHeight - padding("Top") - padding("Bottom")) * box.scaleY,
    ],
    scales: [box.scaleX, box.scaleY],
    page: {
      left: scrollX,
      top: scrollY,
      width: innerWidth,
      height: innerHeight,
      density: devicePixelRatio,
    },
  };
}

const NEAREST = { block: "nearest", inline: "nearest", behavior: "instant" };

const MIDDLE = { block: "center", inline: "nearest", behavior: "instant" };

// Whether a bar that stays at an edge of the viewport hides the top or the bottom of an element that
// has room elsewhere.
function isUnderBar(element, seen) {
  if (seen.bottom - seen.top > innerHeight) return false;
  const x = (seen.left + seen.right) / 2;
  return [seen.top + 1, seen.bottom - 1].some((y) => {
    const hit = hitAt(x, y, element);
    return hit !== null && !isInside(hit, element) && STAYING.test(getComputedStyle(coverOf(hit, element)).position);
  });
}
const STAYING = /^(fixed|sticky)$/;

function partOf(element) {
  const whole = unionOf(boxesOf(element));
  return { whole, seen: seenOf(element, whole) };
}

// Returns the part of an element's box that the boxes around it don't hide.
export function seenOf(element, whole) {
  let seen = showing(element) === GONE ? EMPTY : whole;
  let style = getComputedStyle(element);
  for (let at = clipperOf(element, style); at; at = clipperOf(at, style)) {
    style = getComputedStyle(at);
    if (style.overflow !== "visible" || style.contain === "paint") {
      seen = intersection(seen, paddingBox(at));
    }
  }
  return seen;
}

const areaOf = ({ left, top, right, bottom }) =>
  Math.max(0, right - left) * Math.max(0, bottom - top);

const EMPTY = { left: 0, top: 0, right: 0, bottom: 0 };

const listed = ({ left, top, right, bottom }) => [
  left, top, Math.max(0, right - left), Math.max(0, bottom - top),
];

const unionOf = (boxes) =>
  boxes.length
    ? {
        left: Math.min(...boxes.map((box) => box.left)),
        top: Math.min(...boxes.map((box) => box.top)),
        right: Math.max(...boxes.map((box) => box.right)),
        bottom: Math.max(...boxes.map((box) => box.bottom)),
      }
    : EMPTY;

const intersection = (one, other) => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});
