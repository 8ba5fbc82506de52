// The order in which Tab and the accessibility tree read the children of a flex box or a grid, if a
// style sheet sets it (reading-flow, reading-order; Chromium 137 and later).

import { nestedSelector } from "./generated_text.js";
import { flatChildren } from "../dom/flat_tree.js";
import { all, boundingRect, data, isElement, localName } from "../dom/natives.js";
import { squash } from "../dom/text.js";
import { duringWalk } from "../dom/walk.js";

const EXISTS = CSS.supports("reading-flow: normal");
const MAX_FLOWS = 200;
const BY_STYLE = '[style*="reading-flow"]';

// The selectors of a style sheet's rules that set the order, and its number of rules then. Reading
// the style of each rule in every walk would be slow.
const setIn = new WeakMap();

let containers = new Set();
const forget = () => (containers = new Set());
duringWalk(forget, forget);

export function learnFlows(root) {
  if (!EXISTS) return;
  const selectors = [BY_STYLE];
  for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) selectors.push(...selectorsOf(sheet));
  for (const selector of selectors.slice(0, MAX_FLOWS)) {
    try {
      for (const element of all(root, selector)) containers.add(element);
    } catch { /* a selector that is invalid on its own */ }
  }
}

function selectorsOf(sheet) {
  try {
    const count = sheet.cssRules.length;
    if (setIn.get(sheet)?.count !== count) setIn.set(sheet, { count, selectors: [...flowSelectors(sheet, "")] });
    return setIn.get(sheet).selectors;
  } catch {
    return []; // a style sheet from another site
  }
}

function* flowSelectors(sheet, around) {
  for (const rule of sheet.cssRules) {
    const selector = rule.selectorText === undefined ? around : nestedSelector(rule.selectorText, around);
    if (selector && rule.style?.readingFlow) yield selector;
    if (rule.cssRules?.length) yield* flowSelectors(rule, selector);
    else if (rule.styleSheet) yield* flowSelectors(rule.styleSheet, "");
  }
}

// Returns an element's children in the order that its style sets, or null if it sets none.
export function inReadingOrder(element) {
  if (!containers.size || !containers.has(element)) return null;
  const style = getComputedStyle(element);
  const flow = style.readingFlow;
  if (flow === "normal" || !/flex|grid|block/.test(style.display)) return null;
  const isVisual = flow === "flex-visual" && style.flexDirection.endsWith("reverse");
  const sign = isVisual ? -1 : 1;
  const backwards = style.direction === "rtl" ? -1 : 1;
  const keyed = flatChildren(element, localName(element)).filter(isRead).map((node, at) => {
    const own = isElement(node) ? getComputedStyle(node) : null;
    const { top, left } = own && flow.startsWith("grid") ? boundingRect(node) : { top: 0, left: 0 };
    const [row, column] = [Math.round(top), Math.round(left) * backwards];
    const places = { "grid-rows": [row, column], "grid-columns": [column, row], "source-order": [] };
    const order = Number(own?.order ?? 0);
    return { node, key: [Number(own?.readingOrder ?? 0), ...(places[flow] ?? [order * sign]), at * sign] };
  });
  keyed.sort((one, other) => one.key.map((value, at) => value - other.key[at]).find(Boolean) ?? 0);
  return keyed.map(({ node }) => node);
}

const isRead = (node) => isElement(node) || squash(data(node)) !== "";
