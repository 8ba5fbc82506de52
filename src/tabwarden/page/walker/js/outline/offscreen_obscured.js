// Determines whether an element is unreachable: beyond the page's edge where scrolling can't reach
// it, or behind another element. Only the first elements are checked, because boxes and hit tests
// are slow.

import { allElements, boundingRect, scrollingElementOf } from "../dom/natives.js";
import { isInert } from "../dom/visibility.js";
import { duringWalk } from "../dom/walk.js";
import { hasArea, isTinyBox, paddingBox, scalesOf } from "../geometry/boxes.js";
import { clipperOf } from "../geometry/clipping.js";
import { roomAcross, roomAlong } from "../geometry/scrolling.js";
import { inViewport, seenArea } from "../geometry/viewport.js";
import { reaches } from "../hits/click_path.js";
import { hitAt } from "../hits/hit_test.js";

const MAX_PLACED = 500;
const MAX_HITS = 64;
// A hit test is slower in large pages, where the browser searches all siblings.
const MIN_HITS = 8;
const LARGE = 4000;

const COVER_SPOTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]];

let placed = 0;
let hitsLeft = 0;
// The visible part of the viewport and its width, cached during a walk. Reading them again would
// cost as much as reading a box.
let seenNow = null;
let widthNow = 0;
let cuttersNow = null;
// `coveredBy` maps the states of each covered element to the element that was hit instead.
// `reached` has the elements without a cover.
let coveredBy = new Map();
let reached = new Set();
let untested = new Set();

export function beginPlaces() {
  const size = allElements(document, "*").length;
  placed = 0;
  hitsLeft = Math.max(MIN_HITS, Math.round(MAX_HITS * Math.min(1, LARGE / size)));
  seenNow = seenArea();
  widthNow = innerWidth;
  cuttersNow = new Map();
  coveredBy = new Map();
  reached = new Set();
  untested = new Set();
}

duringWalk(beginPlaces, () => {
  seenNow = cuttersNow = null;
  coveredBy = new Map();
  reached = new Set();
  untested = new Set();
});

// Returns the covered records: [index, the element that was hit instead].
export function hitsOf(states) {
  if (!coveredBy.size) return [];
  return [...states.keys()].filter((at) => coveredBy.has(states[at])).map((at) => [at, coveredBy.get(states[at])]);
}

export const isReached = (element) => reached.has(element);
export const isUntested = (states) => untested.has(states);

export function addPlace(states, element) {
  if (seenNow === null) return;
  if (++placed > MAX_PLACED) {
    untested.add(states);
    return;
  }
  const box = boundingRect(element);
  if (isTinyBox(box)) return;
  const beyond = isBeyond(box);
  const hit = beyond ? null : hitOver(element, box, states);
  if (!beyond && !hit) return;
  const sight = sightOf(element, box);
  if (!sight || isBeyond(sight.box)) {
    states.offscreen = true;
    return;
  }
  if (isTinyBox(sight.box)) return; // its container hides it on purpose
  const over = sight.box === box ? hit : hitOver(sight.holder, sight.box, states);
  if (!over) return;
  if (isInert(element)) {
    states.inert = true;
    return;
  }
  states.obscured = true;
  coveredBy.set(states, over);
}

// Pages scroll from their start corner: the left corner, or the right corner in right-to-left
// pages.
function isBeyond(box) {
  if (box.right > 0 && box.bottom > 0 && box.left < widthNow) return false;
  const root = scrollingElementOf(document);
  if (!root) return false;
  const { before, after } = roomAcross(root, getComputedStyle(root));
  return box.right + before <= 0 || box.bottom + root.scrollTop <= 0 || box.left - after >= widthNow;
}

// Returns the element at the middle of another one if that one is covered.
function hitOver(element, box, states) {
  const shown = inViewport(box, seenNow);
  if (!shown) return null;
  if (--hitsLeft < 0) {
    untested.add(states);
    return null;
  }
  let over = null;
  for (const [across, down] of COVER_SPOTS) {
    const hit = hitAt(
      shown.left + (shown.right - shown.left) * across,
      shown.top + (shown.bottom - shown.top) * down,
    );
    if (!hit) return null;
    if (reaches(hit, element)) {
      reached.add(element);
      return null;
    }
    over ??= hit;
  }
  return over;
}

// Returns where an element is visible after scrolling its ancestors: its own box, or the box of the
// outermost scroller that hides it now. Returns null if no scrolling reveals it.
function sightOf(element, box) {
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
}

// Returns the next ancestor that clips an element. Many elements share such an ancestor, so a walk
// caches it.
function cutterOf(element) {
  const at = clipperOf(element, getComputedStyle(element));
  if (!at) return null;
  if (!cuttersNow.has(at)) {
    const style = getComputedStyle(at);
    cuttersNow.set(at, style.overflow === "visible" ? cutterOf(at) : cutting(at, style));
  }
  return cuttersNow.get(at);
}

function cutting(at, style) {
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
}

function sightIn(from, to, first, last, room, overflow) {
  if (overflow === "visible" || (from >= first && to <= last)) return { from, to };
  const { before, after } = overflow === "clip" ? NO_ROOM : room;
  if (to + before <= first || from - after >= last) return null;
  const moves = (from < first && before >= 1) || (to > last && after >= 1);
  return moves
    ? { from: first, to: last, moves }
    : { from: Math.max(from, first), to: Math.min(to, last), cut: true };
}

const NO_ROOM = { before: 0, after: 0 };
