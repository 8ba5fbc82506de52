// The wheel: what it scrolls in this document, how far, and how far that could still go.

const SETTLED_MS = 1500; // a smooth scroll has ended by then
const FRAMES = 3;

let watched = null;

// Called before the wheel turns at a point, `sign` 1 for down and right.
const wheelExpected = (x, y, vertical, sign) => {
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
      watched = null;
    },
  };
};

const WHEEL_EVENTS = ["wheel", "scroll", "scrollend"];
const CAPTURED = { capture: true, passive: true };

// What the wheel did: how far it moved what, or that nothing has begun to move for so long, and for
// some frames: what the browser scrolls the page sees when it draws next.
const wheeled = async (milliseconds) => {
  const { sign, events, vertical, scrollers, before, forget } = watched;
  const began = performance.now();
  let frames = 0;
  const count = () => ++frames < FRAMES && requestAnimationFrame(count);
  requestAnimationFrame(count);
  const isOver = () => {
    const passed = performance.now() - began;
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
};

// What can scroll along an axis, from the innermost element at a point outwards.
const scrollersAt = (x, y, vertical) => {
  const root = scrollingElementOf(document);
  const found = [];
  const point = fromScreen(x, y);
  for (let at = hitAt(point.x, point.y); at && isElement(at); at = flatParent(at)) {
    if (at !== root && canScroll(at, vertical, false)) found.push(at);
  }
  if (root && canScroll(root, vertical, true)) found.push(root);
  return found;
};

const canScroll = (element, vertical, isRoot) => {
  const size = vertical ? element.scrollHeight : element.scrollWidth;
  if (size <= (vertical ? element.clientHeight : element.clientWidth)) return false;
  const overflow = getComputedStyle(element)[vertical ? "overflowY" : "overflowX"];
  return overflow !== "hidden" && overflow !== "clip" && (isRoot || overflow !== "visible");
};

const offsetOf = (element, vertical) => (vertical ? element.scrollTop : element.scrollLeft);

const roomOf = (element, vertical, sign) => {
  const at = offsetOf(element, vertical);
  const most = vertical
    ? element.scrollHeight - element.clientHeight
    : element.scrollWidth - element.clientWidth;
  // To the left of a page that is written from right to left offsets are negative.
  const backwards = !vertical && getComputedStyle(element).direction === "rtl" ? most + at : at;
  return Math.max(0, Math.round(sign > 0 ? most - backwards : backwards));
};
