// A witness of the press: it lands on the element that was aimed at, or the page never hears of it.
//
// Between the aim and the press the page may move, replace or cover the element. The press that
// comes elsewhere then is stopped here, before the page's own listeners, and aimed anew.

const PRESS_EVENTS = [
  "pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu",
];
const PRESS_MS = 2000; // one that has not come by then is not ours
let expected = null;
let lastPress = 0;

// The next presses are meant for a frame in this document, which alone will see them, or for an
// element.
const pressExpected = (id, count) => expectPress(id === null ? null : identified(id), count);

const expectPress = (element, count) => {
  forgetPress();
  expected = {
    element, taker: takenBy, whole: element !== null && isClickedAsOne(element),
    until: performance.now() + PRESS_MS, count, began: 0, landed: null, strayed: false,
    press: ++lastPress, releases: 0, wanted: Infinity, tell: null,
    isWatched: false, clicked: null,
  };
  for (const kind of PRESS_EVENTS) addEventListener(kind, judgePress, true);
};

const judgePress = (event) => {
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
    expected.landed = expected.element !== null && landsOn(event, expected);
    expected.began = 1;
  } else if (event.type === "pointerdown" && expected.landed && !expected.strayed) {
    // The first of two may have moved or replaced what the second was meant for.
    expected.began += 1;
    expected.strayed = !landsOn(event, expected);
  }
  if (expected.landed && !expected.strayed) {
    if (expected.began < expected.count) return;
    expected.isWatched = true; // all that is left to see is whether a click comes of it
    for (const kind of ["pointerdown", "mousedown"]) removeEventListener(kind, judgePress, true);
    return;
  }
  event.stopImmediatePropagation();
  // Its pointer events are stopped alone: prevented, they would leave out those of the mouse.
  if (!event.type.startsWith("pointer")) event.preventDefault();
};

const landsOn = (event, { element, taker, whole }) => {
  const arrives = (hit) => {
    const way = wayTo(hit, element, whole);
    return way !== null && (!way.taker || (taker !== null && isInside(hit, taker)));
  };
  const hit = event.composedPath()[0];
  if (!(hit instanceof Node)) return true; // the window itself: a drag that ended elsewhere
  if (arrives(hit)) return true;
  // The inside of a closed shadow root is not told: its host is, when the element is in it.
  const closed = closedRootsAround(element);
  return closed.has(hit) && arrives(hitAt(event.clientX, event.clientY, element));
};

// Whether the press landed where it was meant to (null when none came here), whether a later one
// of several did not, and whether a click came of it (null when that was not seen).
const pressSeen = () => {
  const seen = {
    landed: expected?.landed ?? null, strayed: expected?.strayed ?? false,
    clicked: expected?.clicked ?? null,
  };
  forgetPress();
  return seen;
};

// The same while the button is down: a press that went astray is kept from the page up to its end.
const pressBegun = () =>
  expected?.landed === false ? { landed: false, strayed: false } : pressSeen();

// The same, and how the page stands then, as soon as so many releases have been handled: asked ahead
// of them, it is answered with them. `pressSeen` answers it too, for a page that lets none come here.
const pressDone = (releases) =>
  new Promise((tell) => {
    if (!expected) {
      tell({ landed: null, strayed: false, ...pageNow() });
      return;
    }
    expected.tell = tell;
    expected.wanted = releases;
    if (expected.releases >= releases) forgetPress();
  });

// The click comes in the same task as the release, and this in one after it. No timer: a page can
// clear those, whoever set them.
const { port1: pressHeard, port2: pressTold } = new MessageChannel();
pressHeard.onmessage = ({ data: press }) => {
  if (expected?.press === press) forgetPress();
};
const tellLater = () => pressTold.postMessage(expected.press);

const forgetPress = () => {
  const press = expected;
  if (!press) return;
  for (const kind of PRESS_EVENTS) removeEventListener(kind, judgePress, true);
  expected = null;
  const { landed, strayed, clicked } = press;
  press.tell?.({ landed, strayed, clicked, ...pageNow() });
};
