// Where an element is, and whether a click there would reach it.

const miss = (reason, by) => ({ ok: false, reason, by });

// A point of the viewport that hits the element; it is scrolled into view when there is none yet.
const aim = (id) => {
  const element = identified(id);
  if (!element) return miss("gone");
  if (isDisabled(element)) return miss("disabled");
  if (showing(element) !== SHOWN) return miss("hidden");
  const found = pointOn(element);
  if (found.ok) return found;
  reveal(element);
  return { ...pointOn(element), scrolled: true };
};

// The element itself may have no box (display: contents) while what is in it has.
const boxesOf = (element) => {
  let boxes = [...clientRects(element)].filter(hasArea);
  if (!boxes.length) {
    const range = createRange(document);
    range.selectNodeContents(element);
    boxes = [...range.getClientRects()].filter(hasArea);
  }
  return boxes;
};

const hasArea = (box) => box.width > 0 && box.height > 0;

const inViewport = (box) => {
  const left = Math.max(box.left, 0);
  const top = Math.max(box.top, 0);
  const right = Math.min(box.right, innerWidth);
  const bottom = Math.min(box.bottom, innerHeight);
  return right > left && bottom > top ? { left, top, right, bottom } : null;
};

// Middle first, then a coarse grid: something may cover a part only.
const SPOTS = [
  [0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75],
  [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9],
];

const pointOn = (element) => {
  const boxes = boxesOf(element);
  if (!boxes.length) return miss("zero_size");
  const shown = boxes.map(inViewport).filter(Boolean);
  if (!shown.length) return miss("outside");
  let cover = null;
  for (const [across, down] of SPOTS) {
    for (const box of shown.slice(0, 4)) {
      const x = box.left + (box.right - box.left) * across;
      const y = box.top + (box.bottom - box.top) * down;
      const hit = hitAt(x, y);
      if (hit && reaches(hit, element)) return { ok: true, x, y };
      cover ??= hit;
    }
  }
  return cover ? miss("obscured", describe(cover)) : miss("outside");
};

// The innermost element at a point, through open shadow roots.
const hitAt = (x, y) => {
  let hit = elementAt(document, x, y);
  for (let root = hit && shadowRoot(hit); root; root = hit && shadowRoot(hit)) {
    const inner = root.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
};

// A click on `hit` arrives at `element`: it is inside, or in a label of it.
const reaches = (hit, element) => {
  if (isInside(hit, element)) return true;
  for (let at = hit; at; at = flatParent(at)) {
    if (isElement(at) && localName(at) === "label") return at.control === element;
  }
  return false;
};

const describe = (element) => {
  const tag = localName(element);
  const role = roleOf(element, tag);
  const name = cutTo(nameOf(element, tag, role) || squash(contentText(element, tag, null)), 100);
  return { tag, role: TRANSPARENT.has(role) ? "" : role, name, id: idOf.get(element) ?? 0 };
};

const INSTANT = { block: "center", inline: "center", behavior: "instant" };
const reveal = (element) => scrollIntoView(element, INSTANT);

// The content box of an iframe in this viewport, and how much it is scaled.
const frameBox = (id) => {
  const element = identified(id);
  if (!element) return null;
  const box = boundingRect(element);
  const style = getComputedStyle(element);
  const scaleX = element.offsetWidth ? box.width / element.offsetWidth : 1;
  const scaleY = element.offsetHeight ? box.height / element.offsetHeight : 1;
  return {
    contentX: box.x + (element.clientLeft + parseFloat(style.paddingLeft)) * scaleX,
    contentY: box.y + (element.clientTop + parseFloat(style.paddingTop)) * scaleY,
    scaleX,
    scaleY,
  };
};

// From a point in an iframe's document to the same point here, scrolled into view, if a click
// there would reach that iframe.
const aimThrough = (id, x, y) => {
  const element = identified(id);
  if (!element) return miss("gone");
  const place = () => {
    const box = frameBox(id);
    return { x: box.contentX + x * box.scaleX, y: box.contentY + y * box.scaleY };
  };
  const hit = (at) => hitAt(at.x, at.y);
  let at = place();
  let found = hit(at);
  if (found === element) return { ok: true, ...at };
  scrollPointIntoView(element, place);
  at = place();
  found = hit(at);
  if (found === element) return { ok: true, ...at, scrolled: true };
  return found ? miss("obscured", describe(found)) : miss("outside");
};

// `scrollIntoView` knows boxes only; a frame may be longer than the screen.
const scrollPointIntoView = (element, place) => {
  for (let at = flatParent(element); at && isElement(at); at = flatParent(at)) {
    const root = at === scrollingElementOf(document);
    if (!root && at.scrollHeight <= at.clientHeight && at.scrollWidth <= at.clientWidth) continue;
    const box = root ? { x: 0, y: 0, width: innerWidth, height: innerHeight } : boundingRect(at);
    const point = place();
    at.scrollBy({
      left: point.x - (box.x + box.width / 2),
      top: point.y - (box.y + box.height / 2),
      behavior: "instant",
    });
  }
};

// After a scroll: the browser routes input by what was last drawn. Bounded, since nothing is
// drawn in a page that is not in front.
const drawn = () =>
  new Promise((done) => {
    setTimeout(done, 100);
    requestAnimationFrame(() => requestAnimationFrame(done));
  });
