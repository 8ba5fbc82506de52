// The viewport: its visible part, and points in it.

import { boundingRect } from "../dom/natives.js";

export function fitsViewport(element) {
  const box = boundingRect(element);
  return box.top >= 0 && box.bottom <= innerHeight;
}

// Returns the visible part of the viewport. It is smaller than the viewport after a pinch zoom.
export function seenArea() {
  const { scale, offsetLeft, offsetTop, width, height } = visualViewport;
  return scale === 1
    ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
    : { left: offsetLeft, top: offsetTop, right: offsetLeft + width, bottom: offsetTop + height };
}

export function inViewport(box, seen = seenArea()) {
  const left = Math.max(box.left, seen.left);
  const top = Math.max(box.top, seen.top);
  const right = Math.min(box.right, seen.right);
  const bottom = Math.min(box.bottom, seen.bottom);
  return right > left && bottom > top ? { left, top, right, bottom } : null;
}

// Converts between this document's viewport and mouse coordinates, which start at the visible
// corner. They differ only after a pinch zoom. The browser handles the scale.
export const toScreen = (x, y) => ({ x: x - visualViewport.offsetLeft, y: y - visualViewport.offsetTop });
export const fromScreen = (x, y) => ({ x: x + visualViewport.offsetLeft, y: y + visualViewport.offsetTop });

// Returns where the visible part of the page begins, and its zoom.
export const seenAt = () => ({
  x: Math.round(visualViewport.pageLeft), y: Math.round(visualViewport.pageTop), scale: visualViewport.scale,
});

export const viewport = () => ({ width: innerWidth, height: innerHeight });
