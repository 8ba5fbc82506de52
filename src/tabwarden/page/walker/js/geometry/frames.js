// Where an iframe is in this viewport, and how points in its document map to points here.

import { identified } from "../dom/element_ids.js";
import { flatParent } from "../dom/flat_tree.js";
import { boundingRect, isElement } from "../dom/natives.js";
import { contentInset, scalesOf } from "./boxes.js";

// Returns the content box of an iframe in this viewport, and its scale.
export function frameBox(id) {
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
}

// Maps points between an iframe's document and this viewport, with the iframe's rotation and scale.
export function frameMap(element) {
  const box = boundingRect(element);
  const { offsetWidth: width, offsetHeight: height } = element;
  const inset = contentInset(element);
  let [a, b, c, d] = linearOf(element);
  const wide = Math.abs(a) * width + Math.abs(c) * height;
  const high = Math.abs(b) * width + Math.abs(d) * height;
  if (Math.abs(wide - box.width) > 2 || Math.abs(high - box.height) > 2) {
    // With perspective or a motion path, only scaling is assumed.
    [a, b, c, d] = [width ? box.width / width : 1, 0, 0, height ? box.height / height : 1];
  }
  // Rotation does not move the center of a box.
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
}

// Returns the rotation and scale of an element with all its ancestors, as a 2 x 2 matrix.
function linearOf(element) {
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
}
