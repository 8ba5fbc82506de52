// Where what can be acted on stands, as far as it keeps a hand away: beyond the page's edge, where
// no scrolling leads, or behind something else. Asked of the first ones only: boxes and hits cost.

const MAX_PLACED = 500;
const MAX_HITS = 64;
// In large pages a hit costs more: the browser goes through all that stands side by side.
const MIN_HITS = 8;
const LARGE = 4000;
// What is smaller is hidden on purpose, and drawn by something else (a label, say); frames of a pixel or
// two are there to count visits.
const MIN_SIDE = 3;
const isTinyBox = ({ width, height }) => width < MIN_SIDE || height < MIN_SIDE;
const isTiny = (element) => isTinyBox(boundingRect(element));
const COVER_SPOTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]];

let placed = 0;
let hitsLeft = 0;
// What is seen of the viewport, and how wide that is, as long as a walk lasts: to ask for it again costs
// as much as to ask for a box.
let seenNow = null;
let widthNow = 0;
let cuttersNow = null;

const beginPlaces = () => {
  const size = allElements(document, "*").length;
  placed = 0;
  hitsLeft = Math.max(MIN_HITS, Math.round(MAX_HITS * Math.min(1, LARGE / size)));
  seenNow = seenArea();
  widthNow = innerWidth;
  cuttersNow = new Map();
};

const addPlace = (states, element) => {
  if (seenNow === null || ++placed > MAX_PLACED) return;
  const box = boundingRect(element);
  if (isTinyBox(box)) return;
  const beyond = isBeyond(box);
  if (!beyond && !isCovered(element, box)) return;
  const sight = sightOf(element, box);
  if (!sight || isBeyond(sight.box)) states.offscreen = true;
  else if (sight.box === box || isCovered(sight.holder, sight.box)) states.obscured = true;
};

// Pages scroll from their first corner on: the left one, in right-to-left pages the right one.
const isBeyond = (box) => {
  if (box.right > 0 && box.bottom > 0 && box.left < widthNow) return false;
  const root = scrollingElementOf(document);
  if (!root) return false;
  const { before, after } = roomAcross(root, getComputedStyle(root));
  return box.right + before <= 0 || box.bottom + root.scrollTop <= 0 || box.left - after >= widthNow;
};

const isCovered = (element, box) => {
  const shown = inViewport(box, seenNow);
  if (!shown || --hitsLeft < 0) return false;
  for (const [across, down] of COVER_SPOTS) {
    const hit = hitAt(
      shown.left + (shown.right - shown.left) * across,
      shown.top + (shown.bottom - shown.top) * down,
    );
    if (!hit || reaches(hit, element)) return false;
  }
  return true;
};

// Where an element can be seen once all that it stands in is scrolled towards it: its own box, or
// that of the outermost holder in which it is scrolled away. Null where no scrolling in them leads.
const sightOf = (element, box) => {
  let holder = element;
  for (let cutter = cutterOf(element); cutter; cutter = cutter.next) {
    const { port, across, along, overflowX, overflowY } = cutter;
    if (!hasArea(port)) return null;
    const wide = sightIn(box.left, box.right, port.left, port.right, across, overflowX);
    const high = sightIn(box.top, box.bottom, port.top, port.bottom, along, overflowY);
    if (!wide || !high) return null;
    if (wide.moves || high.moves) holder = cutter.at;
    else if (!wide.cut && !high.cut) continue;
    box = new DOMRect(wide.from, high.from, wide.to - wide.from, high.to - high.from);
  }
  return { holder, box };
};

// The next box outwards that cuts an element off, asked about once on a walk: many stand in the same.
const cutterOf = (element) => {
  const at = clipperOf(element, getComputedStyle(element));
  if (!at) return null;
  if (!cuttersNow.has(at)) {
    const style = getComputedStyle(at);
    cuttersNow.set(at, style.overflow === "visible" ? cutterOf(at) : cutting(at, style));
  }
  return cuttersNow.get(at);
};

const cutting = (at, style) => {
  const [x, y] = scalesOf(at);
  return {
    at,
    port: paddingBox(at),
    across: roomAcross(at, style, x),
    along: roomAlong(at, style, y),
    overflowX: style.overflowX,
    overflowY: style.overflowY,
    next: cutterOf(at),
  };
};

const sightIn = (from, to, first, last, room, overflow) => {
  if (overflow === "visible" || (from >= first && to <= last)) return { from, to };
  const { before, after } = overflow === "clip" ? NO_ROOM : room;
  if (to + before <= first || from - after >= last) return null;
  const moves = (from < first && before >= 1) || (to > last && after >= 1);
  return moves
    ? { from: first, to: last, moves }
    : { from: Math.max(from, first), to: Math.min(to, last), cut: true };
};
const NO_ROOM = { before: 0, after: 0 };

// How far a scroller can still be scrolled to what lies before and after what it shows. Where the
// text begins at the end, so does the scrolling, and its position counts below zero.
const roomAcross = (scroller, style, scale = 1) => {
  const backwards = (style.direction === "rtl") !== (style.flexDirection === "row-reverse");
  const room = scroller.scrollWidth - scroller.clientWidth;
  return roomAround(scroller.scrollLeft * scale, room * scale, backwards);
};
const roomAlong = (scroller, style, scale) => {
  const backwards = style.flexDirection === "column-reverse";
  const room = scroller.scrollHeight - scroller.clientHeight;
  return roomAround(scroller.scrollTop * scale, room * scale, backwards);
};
const roomAround = (position, room, backwards) =>
  position < 0 || (backwards && position === 0)
    ? { before: room + position, after: -position }
    : { before: position, after: room - position };
