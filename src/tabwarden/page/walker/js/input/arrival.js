// Whether the browser's input arrives in this document. A window of the browser that covers the tab
// takes all input, and no event tells of it.

import { localName } from "../dom/natives.js";
import { hitAt } from "../geometry/hit_test.js";
import { fromScreen, toScreen } from "../geometry/viewport.js";

// The browser counts these even if the page stops them before our listeners. It counts no moves.
const COUNTED = ["keydown", "keyup", "pointerdown", "mousedown", "pointerup", "mouseup", "touchstart"];
const HEARD = ["mousemove", "pointermove", "wheel"];
const UNHARMED = { capture: true, passive: true };

let before = 0;
let isHeard = false;

function hear(event) {
  isHeard ||= event.isTrusted;
}

function counted() {
  const counts = performance.eventCounts;
  return COUNTED.reduce((sum, kind) => sum + (counts?.get(kind) ?? 0), 0);
}

export function inputExpected() {
  before = counted();
  isHeard = false;
  for (const kind of HEARD) addEventListener(kind, hear, UNHARMED);
}

// Whether any input came since the call of `inputExpected`.
export function inputCame() {
  for (const kind of HEARD) removeEventListener(kind, hear, UNHARMED);
  return isHeard || counted() !== before;
}

const ELSEWHERE = new Set(["iframe", "frame", "embed", "object", "fencedframe"]);

// Whether this document itself gets the mouse at a point of its viewport.
export function isOpenAt(x, y) {
  const point = fromScreen(x, y);
  const hit = hitAt(point.x, point.y);
  return hit !== null && !ELSEWHERE.has(localName(hit));
}

const SHARES = [0.5, 0.1, 0.9, 0.3, 0.7];

// Returns a point where this document itself gets the mouse, or null.
export function openSpot() {
  for (const across of SHARES) {
    for (const down of SHARES) {
      const spot = toScreen(Math.round(innerWidth * across), Math.round(innerHeight * down));
      if (isOpenAt(spot.x, spot.y)) return spot;
    }
  }
  return null;
}
