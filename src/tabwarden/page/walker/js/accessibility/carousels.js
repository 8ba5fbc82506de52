// The buttons and markers of CSS carousels. The browser draws them for an element; they are no
// elements. Only the browser knows which of them exist: a style sheet's answer for a missing button
// is that of another one (Chromium 156). So a search lists the elements that may have some, Python
// asks the browser about them (page/elements/carousels.py), and the next search has the controls.

import { carouselSelectors, drawnBy } from "./generated_text.js";
import { controlId } from "../dom/element_ids.js";
import { flatParent } from "../dom/flat_tree.js";
import { all, isConnected, isElement, textContent } from "../dom/natives.js";
import { cutTo, MAX_NAME, squash } from "../dom/text.js";
import { roomAcross, roomAlong } from "../geometry/scrolling.js";

const EXIST = CSS.supports("selector(::scroll-button(*))");
const MAX_SELECTORS = 200;
const MAX_TRIED = 2000;
const MAX_CAROUSEL_PARTS = 200;
const MAX_LEVELS_UP = 10; // levels from an item to its scroller
// Where a style sheet can't be read: elements that are carousels by their names.
const LIKELY = "ul, ol, [class*=carousel i], [class*=slide i], [class*=scroll i]";
const MAX_LIKELY = 100;

let parts = [];
const drawnOn = new Map(); // what the browser draws for an element: [type, direction, node id]
let selectedMarkers = new Set();

// Collects the parts in a document or shadow root.
export function collectParts(root) {
  if (root === document) parts = [];
  if (!EXIST) return;
  const { selectors, isUnsure } = carouselSelectors(root);
  if (!selectors.length && !isUnsure) return;
  const found = new Set();
  for (const selector of selectors.slice(0, MAX_SELECTORS)) {
    if (found.size < MAX_TRIED) for (const one of originsIn(root, selector)) found.add(one);
  }
  if (isUnsure) for (const one of [...all(root, LIKELY)].slice(0, MAX_LIKELY)) found.add(one);
  for (const element of [...found].slice(0, MAX_TRIED)) {
    if (parts.length < MAX_CAROUSEL_PARTS && (has(element, "::scroll-button(*)") || has(element, "::scroll-marker"))) {
      parts.push(element);
    }
    if (isUnsure && scrollMarkers(element)) {
      for (const item of element.children) if (has(item, "::scroll-marker")) parts.push(item);
    }
  }
}

function originsIn(root, selector) {
  try {
    return all(root, selector.replace(/::scroll-(button\([^)]*\)|marker)(:[\w-]+)*/g, "").replace(/(^|[\s>+~,])(?=,|$)/g, "$1*"));
  } catch {
    return []; // a selector that is invalid on its own
  }
}

const has = (element, pseudo) => !/^(|none|normal)$/.test(getComputedStyle(element, pseudo).content);

const scrollMarkers = (element) => {
  const group = getComputedStyle(element).scrollMarkerGroup;
  return group && group !== "none" ? group : "";
};

export const carouselParts = () => parts;

// Takes what the browser draws for each part. Returns whether that is news, and the node ids of
// marker groups with tabs: the browser knows which of their markers is selected.
export function learnCarousels(described) {
  const before = JSON.stringify([...drawnOn.values()]);
  drawnOn.clear();
  const tabs = [];
  parts.forEach((element, at) => {
    if (!described[at]?.length) return;
    drawnOn.set(element, described[at]);
    for (const [type, , node] of described[at]) {
      if (type === "scroll-marker-group" && scrollMarkers(element).includes("tabs")) tabs.push(node);
    }
  });
  return { isNew: JSON.stringify([...drawnOn.values()]) !== before, tabs };
}

// Takes the node ids of the selected markers. Returns whether that is news.
export function selectMarkers(nodes) {
  const isNew = nodes.length !== selectedMarkers.size || nodes.some((node) => !selectedMarkers.has(node));
  selectedMarkers = new Set(nodes);
  return isNew;
}

// Returns the controls by scroller: {buttons, markers, isBefore, isTabs}.
export function carousels() {
  const found = new Map();
  const at = (scroller) => {
    if (!found.has(scroller)) {
      const group = scrollMarkers(scroller);
      found.set(scroller, {
        buttons: [], markers: [], isBefore: group.startsWith("before"), isTabs: group.includes("tabs"),
      });
    }
    return found.get(scroller);
  };
  for (const [element, described] of drawnOn) {
    if (!isConnected(element)) {
      drawnOn.delete(element);
      continue;
    }
    for (const [type, direction, node] of described) {
      if (type === "scroll-button") at(element).buttons.push(buttonOf(element, direction, node));
      const scroller = type === "scroll-marker" ? scrollerOf(element) : null;
      if (scroller) at(scroller).markers.push(markerOf(element, node, at(scroller).isTabs));
    }
  }
  return found;
}

function scrollerOf(item) {
  let scroller = flatParent(item);
  for (let n = 0; scroller && isElement(scroller) && n < MAX_LEVELS_UP; scroller = flatParent(scroller), n++) {
    if (scrollMarkers(scroller)) return scroller;
  }
  return null;
}

function buttonOf(element, direction, node) {
  const name = cutTo(squash(drawnBy(element, `::scroll-button(${direction})`)), MAX_NAME);
  const state = {};
  if (isAtEnd(element, direction)) state.disabled = true;
  if (!name) state.author = ["scrolls", direction];
  return controlId(element, { role: "button", tag: "scroll-button", name, state, node });
}

function markerOf(item, node, isTab) {
  const name = cutTo(squash(drawnBy(item, "::scroll-marker")), MAX_NAME);
  const state = {};
  if (selectedMarkers.has(node)) state.selected = true;
  if (!name) state.author = ["shows", cutTo(squash(textContent(item).slice(0, 1000)), 60)];
  return controlId(item, { role: isTab ? "tab" : "link", tag: "scroll-marker", name, state, node });
}

// The direction is logical, such as "inline-end".
function isAtEnd(scroller, direction) {
  const style = getComputedStyle(scroller);
  const [axis, side] = direction.split("-");
  if (!style.writingMode.startsWith("horizontal")) return false;
  const isFirst = (side === "start") !== (axis === "inline" && style.direction === "rtl");
  const { before, after } = axis === "inline" ? roomAcross(scroller, style) : roomAlong(scroller, style, 1);
  return (isFirst ? before : after) < 1;
}
