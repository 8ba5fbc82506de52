// Finds the visible part of an element: its box, clipped by the boxes around it.

import { isInside } from "../dom/flat_tree.js";
import { bringIntoView } from "../dom/own_scrolls.js";
import { boxesOf, unionOf } from "../geometry/boxes.js";
import { seenOf } from "../geometry/clipping.js";
import { drawnWithId } from "../geometry/drawn_checks.js";
import { frameBox } from "../geometry/frames.js";
import { inViewport } from "../geometry/viewport.js";
import { coverOf } from "../hits/cover.js";
import { hitAt } from "../hits/hit_test.js";

export function shownPart(id) {
  const element = drawnWithId(id);
  if (!element) return null;
  let { whole, seen } = partOf(element);
  if (!inViewport(seen) || areaOf(seen) < areaOf(whole)) {
    bringIntoView(element, NEAREST);
    ({ whole, seen } = partOf(element));
  }
  if (isUnderBar(element, seen)) {
    bringIntoView(element, MIDDLE);
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

// Whether a bar fixed at an edge of the viewport hides the top or the bottom of an element that
// would fit elsewhere.
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

const areaOf = ({ left, top, right, bottom }) =>
  Math.max(0, right - left) * Math.max(0, bottom - top);

const listed = ({ left, top, right, bottom }) => [
  left, top, Math.max(0, right - left), Math.max(0, bottom - top),
];
