// Where an element is, and whether a click there would reach it.

const miss = (reason, by) => ({ ok: false, reason, by });

// A point of the viewport that hits the element; it is scrolled into view when there is none yet.
// With `presses`, it is to be pressed, and what in it takes a click for itself is avoided; a press
// that lands elsewhere is kept from the page (press.js), by the caller where it has to ask more
// documents first.
const aim = (id, presses = 0, expects = true) => {
  const element = identified(id);
  const found = element ? aimAt(element, WAYS_IN, presses > 0) : miss("gone");
  if (found.ok && presses && expects) expectPress(element, presses);
  return found;
};

// The same, awaited for some milliseconds: what covers it may go, what is disabled be enabled, and
// what slides in come to rest. Nothing tells of the first, so each frame is looked at.
const aimLater = async (id, presses, expects, milliseconds) => {
  const until = performance.now() + milliseconds;
  for (;;) {
    await nextFrame();
    const element = identified(id);
    if (!element) return miss("gone");
    const isLast = performance.now() >= until;
    const ways = isLast ? WAYS_IN : WAYS_IN.slice(0, 1);
    const found = aimAt(element, ways, presses > 0, isLast);
    if (found.ok && presses && expects) expectPress(element, presses);
    if (found.ok || isLast) return found;
  }
};

// Where to: the middle is free of what sticks to an edge; where it is not, an edge may be.
const WAYS_IN = ["center", "end", "start"];

const aimAt = (element, ways, toPress, evenMoving = false) => {
  if (isDisabled(element)) return miss("disabled");
  const places = [element, ...standIns(element)].filter((one) => showing(one) === SHOWN);
  if (!places.length) return miss("hidden");
  const whole = toPress && isClickedAsOne(element);
  let found = pointOnAny(places, element, whole);
  let scrolled = false;
  const scrollTo = (block) => {
    const before = boundingRect(places[0]);
    scrollIntoView(isArea(places[0]) ? imageOf(places[0]) ?? places[0] : places[0], {
      block, inline: block === "center" ? block : "nearest", behavior: "instant",
    });
    const after = boundingRect(places[0]);
    scrolled ||= isArea(places[0]) || before.x !== after.x || before.y !== after.y;
    found = pointOnAny(places, element, whole);
  };
  for (const block of found.ok ? [] : ways) {
    scrollTo(block);
    if (found.ok) break;
  }
  if (!found.ok) return found;
  if (found.taker && !fitsViewport(places[0])) scrollTo("start"); // its own words come first
  if (!found.ok) scrollTo("center");
  if (!found.ok) return found;
  takenBy = found.taker ?? null;
  if (!evenMoving && isMoving(element)) return miss("moving");
  const { ok, x, y } = found;
  return toPress
    ? { ok, x, y, scrolled, name: shortName(element), by: takenBy && withId(takenBy) }
    : { ok, x, y, scrolled };
};

// What takes the press that was aimed last, as the element has no spot of its own.
let takenBy = null;

const fitsViewport = (element) => {
  const box = boundingRect(element);
  return box.top >= 0 && box.bottom <= innerHeight;
};

// What else a click on it may go to: its labels, which hand it on.
const LABELLED = new Set("input select textarea button meter output progress".split(" "));
const standIns = (element) => (LABELLED.has(localName(element)) ? [...(element.labels ?? [])] : []);

const pointOnAny = (places, element, whole) => {
  const first = pointOn(places[0], element, whole);
  if (first.ok && !first.taker) return first;
  let taken = first.ok ? first : null;
  for (const other of places.slice(1)) {
    const found = pointOn(other, element, whole);
    if (found.ok && !found.taker) return found;
    if (found.ok) taken ??= found;
  }
  return taken ?? first;
};

// The element itself may have no box (display: contents) while what is in it has.
const boxesOf = (element) => {
  if (isArea(element)) return areaBoxes(element);
  let boxes = [...clientRects(element)].filter(hasArea);
  if (!boxes.length) {
    const range = createRange(document);
    range.selectNodeContents(element);
    boxes = [...range.getClientRects()].filter(hasArea);
  }
  return boxes;
};

const hasArea = (box) => box.width > 0 && box.height > 0;

// An area of an image map has no box of its own: it lies on the image, by its coordinates.
const isArea = (element) => localName(element) === "area";
const imageOf = (area) => {
  const map = closest(area, "map");
  const name = map && attribute(map, "name");
  return name ? [...all(document, "img[usemap]")].find((one) => attribute(one, "usemap") === `#${name}`) : null;
};
const areaBoxes = (area) => {
  const image = imageOf(area);
  if (!image) return [];
  const box = boundingRect(image);
  const shape = (attribute(area, "shape") ?? "rect").toLowerCase();
  const at = (attribute(area, "coords") ?? "").split(/[\s,]+/).map(Number);
  if (shape === "default" || at.length < 3 || at.some(Number.isNaN)) return [box];
  const [xs, ys] = shape.startsWith("circ")
    ? [[at[0] - at[2], at[0] + at[2]], [at[1] - at[2], at[1] + at[2]]]
    : [at.filter((_, index) => index % 2 === 0), at.filter((_, index) => index % 2)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const inset = contentInset(image);
  const [across, down] = scalesOf(image);
  const place = new DOMRect(
    box.x + (inset.left + left) * across,
    box.y + (inset.top + top) * down,
    (Math.max(...xs) - left) * across,
    (Math.max(...ys) - top) * down,
  );
  return [place].filter(hasArea);
};

// In the element's own pixels, as it is zoomed and scaled. `clientLeft` is rounded, which shows.
const contentInset = (element) => {
  const style = getComputedStyle(element);
  return {
    left: parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft),
    top: parseFloat(style.borderTopWidth) + parseFloat(style.paddingTop),
  };
};

// What is seen of the viewport: less than all of it where the page is pinched larger.
const seenArea = () => {
  const { scale, offsetLeft, offsetTop, width, height } = visualViewport;
  return scale === 1
    ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
    : { left: offsetLeft, top: offsetTop, right: offsetLeft + width, bottom: offsetTop + height };
};

const inViewport = (box, seen = seenArea()) => {
  const left = Math.max(box.left, seen.left);
  const top = Math.max(box.top, seen.top);
  const right = Math.min(box.right, seen.right);
  const bottom = Math.min(box.bottom, seen.bottom);
  return right > left && bottom > top ? { left, top, right, bottom } : null;
};

// Middle first, then a coarse grid: something may cover a part only. At last a finer one.
const SPOTS = [
  [0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75],
  [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9],
];
const FINE_SPOTS = Array.from({ length: 121 }, (_, n) => [
  0.03 + (0.94 * (n % 11)) / 10, 0.03 + (0.94 * Math.floor(n / 11)) / 10,
]);

const pointOn = (place, element, whole) => {
  const boxes = boxesOf(place);
  if (!boxes.length) return miss("zero_size");
  const seen = seenArea();
  const shown = boxes.map((box) => inViewport(box, seen)).filter(Boolean);
  if (!shown.length) return miss("outside");
  let cover = null;
  let taken = null;
  for (const [spots, of] of [[SPOTS, shown.slice(0, 4)], [FINE_SPOTS, shown.slice(0, 2)]]) {
    for (const [across, down] of spots) {
      for (const box of of) {
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
  if (getComputedStyle(element).pointerEvents === "none") return miss("mouse_proof");
  return miss("obscured", coverJson(cover, element));
};

// The innermost element at a point, through open shadow roots, and the closed ones that `sought`
// stands in.
const hitAt = (x, y, sought = null) => {
  const closed = closedRootsAround(sought);
  const rootOfHost = (host) => shadowRoot(host) ?? closed.get(host);
  let hit = elementAt(document, x, y);
  for (let root = hit && rootOfHost(hit); root; root = hit && rootOfHost(hit)) {
    let inner = root.elementFromPoint(x, y);
    // A text that is slotted counts as its host there, though what it is drawn in lies in the tree.
    if (inner === hit) inner = root.elementsFromPoint(x, y)[0];
    if (!inner || getRootNode(inner) !== root) break;
    hit = inner;
  }
  return hit;
};

const NO_ROOTS = new Map();
const closedRootsAround = (element) => {
  let found = NO_ROOTS;
  let root = element && getRootNode(element);
  while (root && root !== document && root.host) {
    if (root.mode === "closed") {
      if (found === NO_ROOTS) found = new Map();
      found.set(root.host, root);
    }
    root = getRootNode(root.host);
  }
  return found;
};

// Whether it is on its way to another place, by an animation that ends.
const MOVES = new Set(
  (
    "transform translate rotate scale left right top bottom inset width height margin padding " +
    "offsetDistance zoom flexBasis"
  ).split(" "),
);
const movesBoxes = (key) => MOVES.has(key) || /^(margin|padding|inset|min|max|block|inline)/.test(key);

const isMoving = (element) => {
  for (let at = element; at && isElement(at); at = flatParent(at)) {
    for (const animation of animationsOf(at)) {
      if (animation.playState !== "running") continue;
      const effect = animation.effect;
      if (!effect || effect.getComputedTiming().endTime === Infinity) continue;
      if (effect.getKeyframes().some((frame) => Object.keys(frame).some(movesBoxes))) return true;
    }
  }
  return false;
};

const SHORT = 100;
const shortName = (element) => {
  const tag = localName(element);
  return cutTo(nameOf(element, tag, roleOf(element, tag)), SHORT);
};

const describe = (element) => {
  const tag = localName(element);
  const role = roleOf(element, tag);
  const name = cutTo(nameOf(element, tag, role) || squash(contentText(element, tag, null)), SHORT);
  return { tag, role: TRANSPARENT.has(role) ? "" : role, name, id: idOf.get(element) ?? 0 };
};

const reveal = (element) =>
  scrollIntoView(element, { block: "center", inline: "center", behavior: "instant" });

// From this document's viewport to where the mouse is sent, which counts from the corner that is
// seen: the same but where the page is pinched larger. The browser sees to the scale.
const toScreen = (x, y) => ({ x: x - visualViewport.offsetLeft, y: y - visualViewport.offsetTop });
const fromScreen = (x, y) => ({ x: x + visualViewport.offsetLeft, y: y + visualViewport.offsetTop });

// The content box of an iframe in this viewport, and how much it is scaled.
const frameBox = (id) => {
  const element = identified(id);
  if (!element) return null;
  const box = boundingRect(element);
  const [scaleX, scaleY] = scalesOf(element);
  const inset = contentInset(element);
  return {
    contentX: box.x + inset.left * scaleX,
    contentY: box.y + inset.top * scaleY,
    scaleX,
    scaleY,
  };
};

// Points of an iframe's document to those of this viewport and back, turned and scaled as it is.
const frameMap = (element) => {
  const box = boundingRect(element);
  const { offsetWidth: width, offsetHeight: height } = element;
  const inset = contentInset(element);
  let [a, b, c, d] = linearOf(element);
  const wide = Math.abs(a) * width + Math.abs(c) * height;
  const high = Math.abs(b) * width + Math.abs(d) * height;
  if (Math.abs(wide - box.width) > 2 || Math.abs(high - box.height) > 2) {
    // In perspective, or along a path: as if it were scaled alone.
    [a, b, c, d] = [width ? box.width / width : 1, 0, 0, height ? box.height / height : 1];
  }
  // A box's middle stays its middle, however it is turned.
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
  const area = a * d - b * c || 1;
  return {
    out: (x, y) => {
      const [dx, dy] = [x + inset.left - width / 2, y + inset.top - height / 2];
      return { x: middleX + a * dx + c * dy, y: middleY + b * dx + d * dy };
    },
    in: (x, y) => {
      const [dx, dy] = [x - middleX, y - middleY];
      return {
        x: (d * dx - c * dy) / area + width / 2 - inset.left,
        y: (a * dy - b * dx) / area + height / 2 - inset.top,
      };
    },
  };
};

// How an element and all that it stands in are turned and scaled together: a 2 x 2 matrix.
const linearOf = (element) => {
  const zoom = element.currentCSSZoom ?? 1;
  let whole = new DOMMatrix([zoom, 0, 0, zoom, 0, 0]);
  for (let at = element; at && isElement(at); at = flatParent(at)) {
    const { transform, rotate, scale } = getComputedStyle(at);
    if (transform === "none" && rotate === "none" && scale === "none") continue;
    const own = new DOMMatrix();
    if (rotate !== "none" && !rotate.includes(" ")) own.multiplySelf(new DOMMatrix(`rotate(${rotate})`));
    if (scale !== "none") own.multiplySelf(new DOMMatrix(`scale(${scale.split(" ").slice(0, 2).join(",")})`));
    if (transform !== "none") own.multiplySelf(new DOMMatrix(transform));
    whole = own.multiply(whole);
  }
  return [whole.a, whole.b, whole.c, whole.d];
};

// From a point in an iframe's document to the same point here, scrolled into view, if a click
// there would reach that iframe.
const aimThrough = (id, x, y) => {
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
  return found ? miss("obscured", coverJson(found, element)) : miss("outside");
};

// The same, awaited.
const aimThroughLater = async (id, x, y, milliseconds) => {
  const until = performance.now() + milliseconds;
  for (;;) {
    await nextFrame();
    const found = aimThrough(id, x, y);
    if (found.ok || found.reason === "gone" || performance.now() >= until) return found;
  }
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

const revealedBox = (id) => {
  const element = identified(id);
  if (!element) return null;
  if (!boxesOf(element).some((box) => inViewport(box))) reveal(element);
  const { x, y, width, height } = boundingRect(element);
  return { x, y, width, height };
};

// Nothing is drawn in a page that is not in front, so the wait is bounded.
const nextFrame = () =>
  new Promise((done) => {
    setTimeout(done, 100);
    requestAnimationFrame(done);
  });

// After a scroll: the browser routes input by what was last drawn.
const drawn = async () => {
  await nextFrame();
  await nextFrame();
};
