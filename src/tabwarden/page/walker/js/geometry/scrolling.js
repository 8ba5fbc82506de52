// Computes how far scrollers can scroll, and scrolls an element or a point into view.

import { flatParent } from "../dom/flat_tree.js";
import { boundingRect, isElement, scrollingElementOf } from "../dom/natives.js";
import { bringIntoView, noteOwnScroll } from "../dom/own_scrolls.js";
import { boxesOf } from "./boxes.js";
import { drawnWithId } from "./drawn_checks.js";
import { inViewport } from "./viewport.js";

const reveal = (element) =>
  bringIntoView(element, { block: "center", inline: "center", behavior: "instant" });

// `scrollIntoView` handles only whole boxes, but a frame may be taller than the screen.
export function scrollPointIntoView(element, place) {
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
    noteOwnScroll(at);
  }
}

export function scrollPage(left, top) {
  scrollTo({ left, top, behavior: "instant" });
  noteOwnScroll(scrollingElementOf(document));
}

export function revealedBox(id) {
  const element = drawnWithId(id);
  if (!element) return null;
  if (!boxesOf(element).some((box) => inViewport(box))) reveal(element);
  const { x, y, width, height } = boundingRect(element);
  return { x, y, width, height };
}

// Returns how far a scroller can still scroll back and forward. If the text starts at the right or
// the bottom, scrolling starts there too, with negative positions.
export function roomAcross(scroller, style, scale = 1) {
  const backwards = (style.direction === "rtl") !== (style.flexDirection === "row-reverse");
  const room = scroller.scrollWidth - scroller.clientWidth;
  return roomAround(scroller.scrollLeft * scale, room * scale, backwards);
}

export function roomAlong(scroller, style, scale) {
  const backwards = style.flexDirection === "column-reverse";
  const room = scroller.scrollHeight - scroller.clientHeight;
  return roomAround(scroller.scrollTop * scale, room * scale, backwards);
}

const roomAround = (position, room, backwards) =>
  position < 0 || (backwards && position === 0)
    ? { before: room + position, after: -position }
    : { before: position, after: room - position };

export function canScroll(element, vertical, isRoot) {
  const size = vertical ? element.scrollHeight : element.scrollWidth;
  if (size <= (vertical ? element.clientHeight : element.clientWidth)) return false;
  const overflow = getComputedStyle(element)[vertical ? "overflowY" : "overflowX"];
  return overflow !== "hidden" && overflow !== "clip" && (isRoot || overflow !== "visible");
}
