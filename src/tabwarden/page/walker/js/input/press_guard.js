// The press guard: a press reaches the intended element, or the page never sees it.
//
// Between the aim and the press, the page may move, replace or cover the element. A press that
// would hit another element is stopped before the page's own listeners run. The caller then aims
// again.

import { pageNow } from "../document/active_element.js";
import { controlWith, identified } from "../dom/element_ids.js";
import { isInside } from "../dom/flat_tree.js";
import { boundingRect } from "../dom/natives.js";
import { isClickedAsOne, wayTo } from "../hits/click_path.js";
import { closedRootsAround, hitAt } from "../hits/hit_test.js";
import { effectBegins, effectSeen } from "./effect.js";

const PRESS_EVENTS = [
  "pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu",
];
const PRESS_MS = 2000; // a later press is not ours
let expected = null;
let ended = null; // the outcome that `pressDone` returned, in case its reply is too late
let lastPress = 0;

// The child that receives the next press if the element has no free spot.
let takenBy = null;
export const pressIsTakenBy = (child) => (takenBy = child);

// Guards the next presses, which are meant for an element or, with null, for a child frame. Only
// the child frame then receives them.
export const pressExpected = (id, count) =>
  expectPress(id === null ? null : identified(id), count, controlWith(id) !== null);

export function expectPress(element, count, scrolls = false) {
  forgetPress();
  ended = null;
  expected = {
    element, box: element && boundingRect(element), taker: takenBy, whole: element !== null && isClickedAsOne(element),
    until: performance.now() + PRESS_MS, count, began: 0, landed: null, strayed: false,
    press: ++lastPress, releases: 0, wanted: Infinity, tell: null,
    isWatched: false, clicked: null, scrolls,
  };
  for (const kind of PRESS_EVENTS) addEventListener(kind, judgePress, true);
  if (element === null) effectBegins(); // this document does not receive the press
}

function judgePress(event) {
  if (!event.isTrusted || !expected) return;
  if (performance.now() > expected.until) {
    expected.clicked = null;
    forgetPress();
    return;
  }
  if (event.type === "pointerup" && ++expected.releases >= expected.wanted) tellLater();
  if (expected.isWatched) {
    if (event.type === "pointerup") expected.clicked ??= false;
    else if (event.type !== "mouseup") expected.clicked ||= landsOn(event, expected);
    return;
  }
  if (expected.landed === null) {
    if (event.type !== "pointerdown" && event.type !== "mousedown") return;
    expected.landed = expected.element !== null && landsOn(event, expected) && !hasLeft(event, expected);
    expected.began = 1;
    if (expected.landed) effectBegins(expected.element, expected.scrolls);
  } else if (event.type === "pointerdown" && expected.landed && !expected.strayed) {
    // The first press may have moved or replaced the target of the second.
    expected.began += 1;
    expected.strayed = !landsOn(event, expected);
  }
  if (expected.landed && !expected.strayed) {
    if (expected.began < expected.count) return;
    expected.isWatched = true; // only the click event is missing
    for (const kind of ["pointerdown", "mousedown"]) removeEventListener(kind, judgePress, true);
    return;
  }
  event.stopImmediatePropagation();
  // Pointer events are stopped but not prevented, because that would also suppress the mouse
  // events.
  if (!event.type.startsWith("pointer")) event.preventDefault();
}

// Whether the element has shrunk or moved away from the mouse, for example because of its `:hover`
// style. The release would miss the element.
const hasLeft = ({ clientX: x, clientY: y }, { element, box }) => {
  const holds = ({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom;
  return holds(box) && !holds(boundingRect(element));
};

function landsOn(event, { element, taker, whole }) {
  const arrives = (hit) => {
    const way = wayTo(hit, element, whole);
    return way !== null && (!way.taker || (taker !== null && isInside(hit, taker)));
  };
  const hit = event.composedPath()[0];
  if (!(hit instanceof Node)) return true; // the window itself, after a drag that ended elsewhere
  if (arrives(hit)) return true;
  // Events hide the inside of a closed shadow root and show only its host.
  const closed = closedRootsAround(element);
  return closed.has(hit) && arrives(hitAt(event.clientX, event.clientY, element));
}

// Returns whether the press hit the intended element (null if no press arrived here), whether a
// later press would have missed, and whether a click followed (null if unknown).
export function pressSeen() {
  if (!expected && ended) {
    const outcome = ended;
    ended = null;
    return outcome;
  }
  const seen = {
    landed: expected?.landed ?? null, strayed: expected?.strayed ?? false,
    clicked: expected?.clicked ?? null, effect: effectSeen(),
  };
  forgetPress();
  return seen;
}

// Does the same while the button is down. A press that missed stays blocked until its end.
export const pressBegun = () =>
  expected?.landed === false ? { landed: false, strayed: false } : pressSeen();

// Call this before the releases. It resolves with the same result and the page's state once that
// many releases are handled. `pressSeen` also resolves it, in case no event arrives here.
export async function pressDone(releases) {
  return new Promise((tell) => {
    if (!expected) {
      tell({ landed: null, strayed: false });
      return;
    }
    expected.tell = tell;
    expected.wanted = releases;
    if (expected.releases >= releases) forgetPress();
  });
}

// The click event is dispatched in the same task as the release, and this message in a later task.
// A timer would not work, because the page can clear timers from any world.
const { port1: pressHeard, port2: pressTold } = new MessageChannel();
pressHeard.onmessage = ({ data: press }) => {
  if (expected?.press === press) forgetPress();
};
const tellLater = () => pressTold.postMessage(expected.press);

function forgetPress() {
  const press = expected;
  if (!press) return;
  for (const kind of PRESS_EVENTS) removeEventListener(kind, judgePress, true);
  expected = null;
  const { landed, strayed, clicked } = press;
  if (!press.tell) return;
  ended = { landed, strayed, clicked, effect: effectSeen() };
  press.tell({ ...ended, ...pageNow() });
}
