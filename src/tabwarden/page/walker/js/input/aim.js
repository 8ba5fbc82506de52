// Finds the position of an element, and checks whether a click there reaches it.

import { shortName, withId } from "../accessibility/describe.js";
import { isDisabled } from "../accessibility/states.js";
import { controlWith, identified } from "../dom/element_ids.js";
import { imageOf, isArea } from "../dom/image_maps.js";
import { boundingRect, closest, contains, localName } from "../dom/natives.js";
import { cutTo } from "../dom/text.js";
import { bringIntoView, noteOwnScrollsAround } from "../dom/own_scrolls.js";
import { isInert, showing, SHOWN } from "../dom/visibility.js";
import { boxesOf } from "../geometry/boxes.js";
import { seenOf } from "../geometry/clipping.js";
import { frameMap } from "../geometry/frames.js";
import { isMoving, nextFrame } from "../geometry/motion.js";
import { scrollPointIntoView } from "../geometry/scrolling.js";
import { fitsViewport, inViewport, seenArea, toScreen } from "../geometry/viewport.js";
import { drawnFor, isClickedAsOne, wayTo } from "../hits/click_path.js";
import { coverJson } from "../hits/cover.js";
import { hitAt } from "../hits/hit_test.js";
import { withObstacle } from "./obstacle.js";
import { expectPress, pressIsTakenBy } from "./press_guard.js";

const miss = (reason, by) => ({ ok: false, reason, by });

// Returns a viewport point that hits the element, and scrolls it into view if needed. With
// `presses`, the point avoids children that handle clicks themselves. A press that lands elsewhere
// is blocked (press_guard.js). With null, there are no presses, so the element may be disabled. If
// other documents must be checked first, the caller arms that guard.
export function aim(id, presses = 0, expects = true) {
  const element = identified(id);
  const control = element && controlWith(id);
  if (control) return control.state.disabled ? miss("disabled") : { ...miss("drawn"), node: control.node };
  const found = element ? aimAt(element, WAYS_IN, presses) : miss("gone");
  if (found.ok && presses && expects) expectPress(element, presses);
  return withObstacle(found, element);
}

// Does the same for a control that the browser draws for the element, at a distance from the
// element's corner. The events of a press there have the element as their target.
export function aimDrawn(id, across, down, presses, expects) {
  const element = identified(id);
  if (!element) return miss("gone");
  noteOwnScrollsAround(element); // the browser has scrolled the control into view
  const { left, top } = boundingRect(element);
  const [x, y] = [left + across, top + down];
  const hit = hitAt(x, y, element);
  if (!hit) return miss("outside");
  if (hit !== element) return miss("obscured", coverJson(hit, element));
  if (presses && expects) expectPress(element, presses, true);
  return { ok: true, ...toScreen(x, y), name: cutTo(controlWith(id).name, 80), by: null };
}

// Does the same, but waits up to some milliseconds: a cover may disappear, the element may become
// enabled, or an animation may end. No event reports that a cover is gone, so this checks whenever
// the browser draws. If the caller will not wait again (`isFinal`), the last check is thorough.
export async function aimLater(id, presses, expects, milliseconds, isFinal) {
  const until = performance.now() + milliseconds;
  for (;;) {
    await nextFrame();
    const element = identified(id);
    if (!element) return miss("gone");
    const isLast = performance.now() >= until;
    const ways = isLast && isFinal ? WAYS_IN : WAYS_IN.slice(0, 1);
    const found = aimAt(element, ways, presses, isLast && isFinal);
    if (found.ok && presses && expects) expectPress(element, presses);
    if (found.ok || isLast) return withObstacle(found, element);
  }
}

// Waits until the mouse has reached the element for some milliseconds without a break, for example
// while an image that moves it is loading.
export async function rests(id, milliseconds, atMost) {
  const until = performance.now() + atMost;
  let since = performance.now();
  while (performance.now() < until && performance.now() - since < milliseconds) {
    await nextFrame();
    const element = identified(id);
    if (!element || !aimAt(element, [], 0).ok) since = performance.now();
  }
}

// Where to scroll the element. The center avoids sticky bars; if that fails, try an edge.
export const WAYS_IN = ["center", "end", "start"];

export function aimAt(element, ways, presses, evenMoving = false) {
  if (presses !== null && isDisabled(element)) return miss("disabled");
  const toPress = presses > 0;
  const locker = document.pointerLockElement; // it gets all mouse events
  if (toPress && locker && !contains(element, locker)) return miss("pointer_locked");
  const places = [element, ...standIns(element)].filter((one) => showing(one) === SHOWN);
  if (!places.length) return miss("hidden");
  const whole = toPress && isClickedAsOne(element);
  const passes = presses === null;
  let found = pointOnAny(places, element, whole, passes);
  let scrolled = false;
  const scrollTo = (block) => {
    const before = boundingRect(places[0]);
    bringIntoView(isArea(places[0]) ? imageOf(places[0]) ?? places[0] : places[0], {
      block, inline: block === "center" ? block : "nearest", behavior: "instant",
    });
    const after = boundingRect(places[0]);
    scrolled ||= isArea(places[0]) || before.x !== after.x || before.y !== after.y;
    found = pointOnAny(places, element, whole, passes);
  };
  for (const block of found.ok ? [] : ways) {
    scrollTo(block);
    if (found.ok) break;
  }
  if (!found.ok) return reasonOf(found, places[0]);
  if (found.taker && !fitsViewport(places[0])) scrollTo("start"); // the element's own text comes first
  if (!found.ok) scrollTo("center");
  if (!found.ok) return found;
  const taker = found.taker ?? null;
  pressIsTakenBy(taker);
  if (!evenMoving && isMoving(element)) return miss("moving");
  // The browser ignores clicks on <geolocation> until it has been in view for half a second.
  if (toPress && element.isValid === false) return { ...miss("unready"), why: String(element.invalidReason) };
  const { ok, x, y } = found;
  return toPress
    ? { ok, x, y, scrolled, name: shortName(element), by: taker && withId(taker) }
    : { ok, x, y, scrolled };
}

// The reason why a click can't reach an element, other than a covering element.
function reasonOf(found, place) {
  if (found.reason !== "obscured" && found.reason !== "outside") return found;
  if (isInert(place)) return miss("inert");
  const [box] = boxesOf(place);
  const seen = box && seenOf(place, box);
  return seen && (seen.right <= seen.left || seen.bottom <= seen.top) ? miss("clipped") : found;
}

// A click on the label of one of these elements also reaches the element.
const LABELLED = new Set("input select textarea button meter output progress".split(" "));
const standIns = (element) =>
  LABELLED.has(localName(element)) ? [...drawnFor(element), ...(element.labels ?? [])] : [];

function pointOnAny(places, element, whole, passes) {
  const first = pointOn(places[0], element, whole, passes);
  if (first.ok && !first.taker) return first;
  let taken = first.ok ? first : null;
  for (const other of places.slice(1)) {
    const found = pointOn(other, element, whole, passes);
    if (found.ok && !found.taker) return found;
    if (found.ok) taken ??= found;
  }
  return taken ?? first;
}

// Try the middle first, then a coarse grid, then a fine one: a cover may hide only a part.
const SPOTS = [
  [0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75],
  [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9],
];
const FINE_SPOTS = Array.from({ length: 121 }, (_, n) => [
  0.03 + (0.94 * (n % 11)) / 10, 0.03 + (0.94 * Math.floor(n / 11)) / 10,
]);

function pointOn(place, element, whole, passes) {
  const boxes = boxesOf(place);
  if (!boxes.length) return miss("zero_size");
  const seen = seenArea();
  const shown = boxes.map((box) => inViewport(box, seen)).filter(Boolean);
  if (!shown.length) return miss("outside");
  let cover = null;
  let taken = null;
  for (const [spots, among] of [[SPOTS, shown.slice(0, 4)], [FINE_SPOTS, shown.slice(0, 2)]]) {
    for (const [across, down] of spots) {
      for (const box of among) {
        const x = box.left + (box.right - box.left) * across;
        const y = box.top + (box.bottom - box.top) * down;
        const hit = hitAt(x, y, element);
        const way = hit && wayTo(hit, element, whole);
        if (way && !way.taker) return { ok: true, ...toScreen(x, y) };
        if (way) taken ??= { ok: true, ...toScreen(x, y), taker: way.taker };
        else cover ??= hit;
      }
    }
  }
  if (taken) return taken;
  if (!cover) return miss("outside");
  const svg = closest(element, "svg");
  if (passes && svg && svg !== element && svg === closest(cover, "svg")) {
    // Mouse events pass through a shape without a fill, as when a person drops an element into a
    // frame.
    const [box] = shown;
    return { ok: true, ...toScreen((box.left + box.right) / 2, (box.top + box.bottom) / 2) };
  }
  if (getComputedStyle(element).pointerEvents === "none") return miss("mouse_proof");
  return miss("obscured", coverJson(cover, element));
}

// Converts a point in an iframe's document to a point here. Scrolls it into view, and checks that a
// click there reaches the iframe.
export function aimThrough(id, x, y) {
  const element = identified(id);
  if (!element) return miss("gone");
  const place = () => frameMap(element).out(x, y);
  const hit = (at) => hitAt(at.x, at.y, element);
  let at = place();
  let found = hit(at);
  if (found === element) return { ok: true, ...toScreen(at.x, at.y) };
  scrollPointIntoView(element, place);
  at = place();
  found = hit(at);
  if (found === element) return { ok: true, ...toScreen(at.x, at.y), scrolled: true };
  return withObstacle(found ? miss("obscured", coverJson(found, element)) : miss("outside"), element);
}

// Does the same, but waits.
export async function aimThroughLater(id, x, y, milliseconds) {
  const until = performance.now() + milliseconds;
  for (;;) {
    await nextFrame();
    const found = aimThrough(id, x, y);
    if (found.ok || found.reason === "gone" || performance.now() >= until) return found;
  }
}
