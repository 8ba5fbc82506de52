// Where what can be acted on stands, as far as it keeps a hand away: beyond the page's edge, where
// no scrolling leads, or behind something else. Asked of the first ones only: boxes and hits cost.

const MAX_PLACED = 500;
const MAX_HITS = 64;
// In large pages a hit costs more: the browser goes through all that stands side by side.
const MIN_HITS = 8;
const LARGE = 4000;
// What is smaller is hidden on purpose, and drawn by something else (a label, say).
const MIN_SIDE = 3;
const COVER_SPOTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]];

let placed = 0;
let hitsLeft = 0;
// What is seen of the viewport, and how wide that is, as long as a walk lasts: to ask for it again costs
// as much as to ask for a box.
let seenNow = null;
let widthNow = 0;

const beginPlaces = () => {
  const size = allElements(document, "*").length;
  placed = 0;
  hitsLeft = Math.max(MIN_HITS, Math.round(MAX_HITS * Math.min(1, LARGE / size)));
  seenNow = seenArea();
  widthNow = innerWidth;
};

const addPlace = (states, element) => {
  if (seenNow === null || ++placed > MAX_PLACED) return;
  const box = boundingRect(element);
  if (box.width < MIN_SIDE || box.height < MIN_SIDE) return;
  if (isBeyond(element, box)) states.offscreen = true;
  else if (isCovered(element, box)) states.obscured = true;
};

// Pages scroll from their first corner on: the left one, in right-to-left pages the right one.
const isBeyond = (element, box) => {
  if (box.right > 0 && box.bottom > 0 && box.left < widthNow) return false;
  const root = scrollingElementOf(document);
  if (!root) return false;
  const left = root.scrollLeft > 0 ? root.scrollLeft : 0;
  const width = root.scrollWidth - root.clientWidth;
  const backwards = getComputedStyle(root).direction === "rtl" ? width + root.scrollLeft : left;
  const forwards = getComputedStyle(root).direction === "rtl" ? -root.scrollLeft : width - left;
  if (box.right + backwards > 0 && box.bottom + root.scrollTop > 0 &&
      box.left - forwards < widthNow) {
    return false;
  }
  for (let at = flatParent(element); at && isElement(at) && at !== root; at = flatParent(at)) {
    if (at.scrollTop || at.scrollLeft) return false; // it was scrolled away in there
  }
  return true;
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
