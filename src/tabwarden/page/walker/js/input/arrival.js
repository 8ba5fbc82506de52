// Determines whether the browser's input arrives in this document. A browser window that covers the
// tab receives all input, and no event reports that.

import { localName } from "../dom/natives.js";
import { toScreen } from "../geometry/viewport.js";
import { hitAt } from "../hits/hit_test.js";

// The browser counts these events even if the page stops them before our listeners. It does not
// count moves.
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

// Whether any input has arrived since the call of `inputExpected`.
export function inputCame() {
  for (const kind of HEARD) removeEventListener(kind, hear, UNHARMED);
  return isHeard || counted() !== before;
}

const SHARES = [0.5, 0.1, 0.9, 0.3, 0.7];
const INNER = new Set(["iframe", "frame"]);
const UNSURE = new Set(["embed", "object", "fencedframe"]); // we may not know the document in it

// Returns a point where this document, or else the document in one of its frames, receives mouse
// events; or null. A closed shadow root may hide a frame.
export function openSpot() {
  let inFrame = null;
  for (const across of SHARES) {
    for (const down of SHARES) {
      const x = Math.round(innerWidth * across);
      const y = Math.round(innerHeight * down);
      const tag = localName(hitAt(x, y) ?? document.documentElement);
      if (UNSURE.has(tag)) continue;
      if (!INNER.has(tag)) return toScreen(x, y);
      inFrame ??= toScreen(x, y);
    }
  }
  return inFrame;
}
