// What can be seen of an element: its box without what the boxes around it cut off.

const shownPart = (id) => {
  const element = identified(id);
  if (!element) return null;
  let { whole, seen } = partOf(element);
  if (!inViewport(seen) || areaOf(seen) < areaOf(whole)) {
    scrollIntoView(element, NEAREST);
    ({ whole, seen } = partOf(element));
  }
  const box = frameBox(id);
  const padding = (side) => parseFloat(getComputedStyle(element)[`padding${side}`]) || 0;
  return {
    whole: listed(whole),
    seen: listed(seen),
    content: [
      box.contentX,
      box.contentY,
      (element.clientWidth - padding("Left") - padding("Right")) * box.scaleX,
      (element.clientHeight - padding("Top") - padding("Bottom")) * box.scaleY,
    ],
    scales: [box.scaleX, box.scaleY],
    page: {
      left: scrollX,
      top: scrollY,
      width: innerWidth,
      height: innerHeight,
      density: devicePixelRatio,
    },
  };
};

const NEAREST = { block: "nearest", inline: "nearest", behavior: "instant" };

const partOf = (element) => {
  const whole = unionOf(boxesOf(element));
  let seen = showing(element) === GONE ? EMPTY : whole;
  let style = getComputedStyle(element);
  for (let at = clipperOf(element, style); at; at = clipperOf(at, style)) {
    style = getComputedStyle(at);
    if (style.overflow !== "visible" || style.contain === "paint") {
      seen = intersection(seen, paddingBox(at));
    }
  }
  return { whole, seen };
};

const areaOf = ({ left, top, right, bottom }) =>
  Math.max(0, right - left) * Math.max(0, bottom - top);

const EMPTY = { left: 0, top: 0, right: 0, bottom: 0 };

const listed = ({ left, top, right, bottom }) => [
  left, top, Math.max(0, right - left), Math.max(0, bottom - top),
];

const unionOf = (boxes) =>
  boxes.length
    ? {
        left: Math.min(...boxes.map((box) => box.left)),
        top: Math.min(...boxes.map((box) => box.top)),
        right: Math.max(...boxes.map((box) => box.right)),
        bottom: Math.max(...boxes.map((box) => box.bottom)),
      }
    : EMPTY;

const intersection = (one, other) => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});

const paddingBox = (element) => {
  const { left, top } = boundingRect(element);
  const [across, down] = scalesOf(element);
  const x = left + element.clientLeft * across;
  const y = top + element.clientTop * down;
  return new DOMRect(x, y, element.clientWidth * across, element.clientHeight * down);
};

// How much larger an element is drawn than its own sizes say, as zoomed or scaled around it.
const scalesOf = (element) => {
  const { width, height } = boundingRect(element);
  const { offsetWidth, offsetHeight, currentCSSZoom: zoom = 1 } = element;
  // Sizes are rounded, so what is as large as they say by a pixel is not scaled.
  const scale = (drawn, said) => (Math.abs(drawn - said * zoom) < 1 || !said ? zoom : drawn / said);
  return [scale(width, offsetWidth), scale(height, offsetHeight)];
};

// The next box outwards that can cut an element off. What is positioned escapes the boxes between
// it and the one that it is positioned by. The document itself cuts nothing: a picture may show
// more than the viewport.
const clipperOf = (element, style) => {
  const fixed = style.position === "fixed";
  for (let at = flatParent(element); at && isElement(at); at = flatParent(at)) {
    if (at === rootOf(document) || (at === bodyOf(document) && !isBodyScrolled())) return null;
    const around = getComputedStyle(at);
    if (around.display === "contents" || around.display === "inline") continue;
    const holds = around.transform !== "none" || around.filter !== "none";
    if (fixed && !holds) continue;
    if (style.position === "absolute" && around.position === "static" && !holds) continue;
    return at;
  }
  return null;
};

// What is said of the body counts for the viewport, unless that is said of the root already.
const isBodyScrolled = () => getComputedStyle(rootOf(document)).overflow !== "visible";
