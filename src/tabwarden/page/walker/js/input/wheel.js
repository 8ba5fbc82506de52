// The mouse wheel: which area it scrolls in this document, how far, and how far the area can still
// scroll.

import { flatParent } from "../dom/flat_tree.js";
import { isElement, scrollingElementOf } from "../dom/natives.js";
import { noteOwnScroll } from "../dom/own_scrolls.js";
import { canScroll } from "../geometry/scrolling.js";
import { fromScreen } from "../geometry/viewport.js";
import { hitAt } from "../hits/hit_test.js";

const SETTLED_MS = 1500; // a smooth scroll ends within this time
const FRAMES = 3;

let watched = null;

// Starts watching before the wheel turns at a point. `sign` is 1 for down and right.
export function wheelExpected(x, y, vertical, sign) {
  watched?.forget();
  const scrollers = scrollersAt(x, y, vertical);
  const events = {};
  const note = (event) => (events[event.type] ??= event);
  for (const kind of WHEEL_EVENTS) addEventListener(kind, note, CAPTURED);
  watched = {
    sign,
    events,
    vertical,
    scrollers,
    before: scrollers.map((one) => offsetOf(one, vertical)),
    forget: () => {
      for (const kind of WHEEL_EVENTS) removeEventListener(kind, note, CAPTURED);
      scrollers.forEach(noteOwnScroll); // the result of the scroll tells these positions
      watched = null;
    },
  };
}

const WHEEL_EVENTS = ["wheel", "scroll", "scrollend"];
const CAPTURED = { capture: true, passive: true };

// Returns which area moved, and how far. Stops if no area began to move in this time plus a few
// frames, because the page notices the browser's scrolling only when it draws.
export async function wheeled(milliseconds) {
  const { sign, events, vertical, scrollers, before, forget } = watched;
  const began = performance.now();
  let frames = 0;
  const count = () => ++frames < FRAMES && requestAnimationFrame(count);
  requestAnimationFrame(count);
  const isMoved = () => scrollers.some((one, at) => offsetOf(one, vertical) !== before[at]);
  const isOver = () => {
    const passed = performance.now() - began;
    // An earlier smooth scroll, along the other axis or of another area, may end now.
    if (events.scrollend && !isMoved()) delete events.scroll, delete events.scrollend;
    const isStill = !events.scroll && frames >= FRAMES && passed > milliseconds;
    return events.scrollend || isStill || passed > SETTLED_MS;
  };
  while (!isOver()) await new Promise((later) => setTimeout(later, 5));
  forget();
  const moved = scrollers.map((one, at) => (offsetOf(one, vertical) - before[at]) * sign);
  const which = moved.findIndex((by) => Math.abs(by) >= 1);
  const shown = scrollers[which < 0 ? 0 : which];
  return {
    moved: which < 0 ? 0 : Math.round(moved[which]),
    taken: events.wheel?.defaultPrevented === true,
    scrolls: shown !== undefined,
    x: shown ? Math.round(shown.scrollLeft) : 0,
    y: shown ? Math.round(shown.scrollTop) : 0,
    left: shown ? roomOf(shown, vertical, sign) : 0,
  };
}

// Returns the areas that can scroll along an axis at a point, innermost first.
function scrollersAt(x, y, vertical) {
  const root = scrollingElementOf(document);
  const found = [];
  const point = fromScreen(x, y);
  for (let at = hitAt(point.x, point.y); at && isElement(at); at = flatParent(at)) {
    if (at !== root && canScroll(at, vertical, false)) found.push(at);
  }
  if (root && canScroll(root, vertical, true)) found.push(root);
  return found;
}

const offsetOf = (element, vertical) => (vertical ? element.scrollTop : element.scrollLeft);

function roomOf(element, vertical, sign) {
  const at = offsetOf(element, vertical);
  const most = vertical
    ? element.scrollHeight - element.clientHeight
    : element.scrollWidth - element.clientWidth;
  // In right-to-left pages, offsets are negative.
  const backwards = !vertical && getComputedStyle(element).direction === "rtl" ? most + at : at;
  return Math.max(0, Math.round(sign > 0 ? most - backwards : backwards));
}
