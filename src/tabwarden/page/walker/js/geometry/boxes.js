// Boxes: where an element is drawn, its size and its scale.

import { imageOf, isArea } from "../dom/image_maps.js";
import { attribute, boundingRect, clientRects, createRange } from "../dom/natives.js";
import { showing, SHOWN } from "../dom/visibility.js";

export const isShown = (element) => showing(element) === SHOWN && boxesOf(element).length > 0;

// An element without a box (display: contents) may have children with boxes.
export function boxesOf(element) {
  if (isArea(element)) return areaBoxes(element);
  let boxes = [...clientRects(element)].filter(hasArea);
  if (!boxes.length) {
    const range = createRange(document);
    range.selectNodeContents(element);
    boxes = [...range.getClientRects()].filter(hasArea);
  }
  return boxes;
}

export const hasArea = (box) => box.width > 0 && box.height > 0;

export const EMPTY = { left: 0, top: 0, right: 0, bottom: 0 };

// Returns the smallest box around some boxes.
export const unionOf = (boxes) =>
  boxes.length
    ? {
        left: Math.min(...boxes.map((box) => box.left)),
        top: Math.min(...boxes.map((box) => box.top)),
        right: Math.max(...boxes.map((box) => box.right)),
        bottom: Math.max(...boxes.map((box) => box.bottom)),
      }
    : EMPTY;

// An area's coordinates give its place on the image.
function areaBoxes(area) {
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
}

// In the element's own pixels, before zoom and scale. `clientLeft` would be rounded visibly.
export function contentInset(element) {
  const style = getComputedStyle(element);
  return {
    left: parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft),
    top: parseFloat(style.borderTopWidth) + parseFloat(style.paddingTop),
  };
}

// A smaller element is hidden on purpose, and another element such as a label is drawn for it. Tiny
// frames are tracking frames.
const MIN_SIDE = 3;
export const isTinyBox = ({ width, height }) => width < MIN_SIDE || height < MIN_SIDE;
export const isTiny = (element) => isTinyBox(boundingRect(element));

// Whether an element is as small as an icon in a text.
const ICON_SIDE = 32;
export function isIcon(element) {
  const { width, height } = boundingRect(element);
  return width > 0 && width <= ICON_SIDE && height <= ICON_SIDE;
}

export function paddingBox(element) {
  const { left, top } = boundingRect(element);
  const [across, down] = scalesOf(element);
  const x = left + element.clientLeft * across;
  const y = top + element.clientTop * down;
  return new DOMRect(x, y, element.clientWidth * across, element.clientHeight * down);
}

// Returns how much zoom and scale enlarge an element.
export function scalesOf(element) {
  const { width, height } = boundingRect(element);
  const { offsetWidth, offsetHeight, currentCSSZoom: zoom = 1 } = element;
  // Sizes are rounded, so a difference of up to one pixel does not count as scaling.
  const scale = (drawn, size) => (Math.abs(drawn - size * zoom) < 1 || !size ? zoom : drawn / size);
  return [scale(width, offsetWidth), scale(height, offsetHeight)];
}
