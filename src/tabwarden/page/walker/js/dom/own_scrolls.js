// Scrolls that the walker causes, so that no effect counts them as the page's own.

import {
  focusElement, isElement, parentNode, scrollIntoView, scrollingElementOf,
} from "./natives.js";

// The position of each scroller after the walker's last scroll.
const positions = new WeakMap();

const offsetsOf = ({ scrollLeft, scrollTop }) => `${scrollLeft} ${scrollTop}`;

export function noteOwnScroll(scroller) {
  if (scroller) positions.set(scroller, offsetsOf(scroller));
}

export const isOwnScroll = (scroller) => positions.get(scroller) === offsetsOf(scroller);

export function noteOwnScrollsAround(element) {
  for (let at = element; at; at = parentNode(at) ?? at.host) if (isElement(at)) noteOwnScroll(at);
  noteOwnScroll(scrollingElementOf(document));
}

export function bringIntoView(element, options) {
  scrollIntoView(element, options);
  noteOwnScrollsAround(element);
}

export function focusInView(element, options) {
  focusElement(element, options);
  noteOwnScrollsAround(element);
}
