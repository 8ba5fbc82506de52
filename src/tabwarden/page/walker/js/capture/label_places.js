// Finds a place for each label on a screenshot: beside the label's element and, where possible,
// over no other element and no other label.

const CELL = 64;
const LARGEST = 20_000; // a larger box is a container, and may contain a label
const LEVELS = 3; // how many labels may be stacked on one side
const ON_LABEL = 10; // the cost of a covered label, relative to a covered element
const ON_TEXT = 0.5;
const APART = 0.2; // the cost of a label that is not at its element
const CROSSED = 2; // the cost of each element between a label and its element
const CUT_OFF = 100; // the cost of a label that the screenshot cuts off

// Returns a function that places one label after the other. `boxes` are the boxes of the labelled
// elements, `texts` are the boxes of the lines of text, and `page` is the area of the screenshot.
export function labelPlaces(boxes, texts, page) {
  const cells = new Map();

  const add = (box, weight) => {
    const known = { ...box, isElement: weight === 1, share: weight / Math.max(1, areaOfBox(box)) };
    for (const key of cellsOf(known)) {
      const cell = cells.get(key);
      if (cell) cell.push(known);
      else cells.set(key, [known]);
    }
  };

  const near = (box) => {
    const met = new Set();
    for (const key of cellsOf(box)) for (const known of cells.get(key) ?? []) met.add(known);
    return met;
  };

  // Returns the sum of the parts of elements, texts and labels that a label would cover, or that
  // are between the label and its element.
  const costOf = (label, box) => {
    let cost = leavesPage(label, page) ? CUT_OFF : 0;
    for (const known of near(label)) cost += overlap(label, known) * known.share;
    const line = { left: label.left, right: label.left + 1, top: label.bottom, bottom: box.top };
    if (label.top > box.bottom) [line.top, line.bottom] = [box.bottom, label.top];
    if (line.bottom <= line.top) return cost;
    for (const known of near(line)) cost += known.isElement && overlap(line, known) > 0 ? CROSSED : 0;
    return cost + APART;
  };

  for (const box of boxes) if (areaOfBox(box) <= LARGEST) add(box, 1);
  for (const box of texts) add(box, ON_TEXT);

  return (box, width, height) => {
    let best = null;
    let least = Infinity;
    for (const [left, top] of placesBeside(box, width, height)) {
      const label = { left, top, right: left + width, bottom: top + height };
      const cost = costOf(label, box);
      if (cost < least) [best, least] = [label, cost];
      if (cost === 0) break;
    }
    add(best, ON_LABEL);
    return best;
  };
}

const areaOfBox = ({ left, top, right, bottom }) => (right - left) * (bottom - top);

const overlap = (one, other) =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));

const leavesPage = (label, page) =>
  label.left < page.left || label.top < page.top || label.right > page.right || label.bottom > page.bottom;

// Yields the places for a label, best first. The corner of a large box comes last.
function* placesBeside(box, width, height) {
  for (let level = 1; level <= LEVELS; level++) {
    const over = box.top - level * height;
    const under = box.bottom + (level - 1) * height;
    for (const y of [over, under]) {
      yield [box.left, y];
      yield [box.right - width, y];
    }
    if (level > 1) continue;
    const middle = (box.top + box.bottom - height) / 2;
    yield [box.right, middle];
    yield [box.left - width, middle];
  }
  yield [box.left, box.top];
}

function* cellsOf({ left, top, right, bottom }) {
  for (let x = Math.floor(left / CELL); x * CELL < right; x++) {
    for (let y = Math.floor(top / CELL); y * CELL < bottom; y++) yield x * 100_003 + y;
  }
}
