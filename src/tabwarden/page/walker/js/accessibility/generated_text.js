// Text that style sheets draw before and after an element's content.

import { all } from "../dom/natives.js";
import { rootAround, shadowRoot } from "../dom/shadow_roots.js";
import { duringWalk } from "../dom/walk.js";

// Reading an element's generated text takes as long as computing the rest of its name. So a walk
// finds out from each tree's style sheets which elements may have such text. Outside a walk, each
// element is checked.
let drawersIn = null; // for each document or shadow root: a set of elements, or null if unknown
let carouselsIn = new Map(); // for each of them: the selectors of its carousels' parts
duringWalk(
  () => {
    drawersIn = new Map();
    carouselsIn = new Map();
  },
  () => (drawersIn = null),
);

const MAX_DRAWING = 200;
const PSEUDO = /:(before|after)|::scroll-(button|marker)\b(?!-group)/;
const NO_WORDS = /^(none|normal|(["'\s/]|[\ue000-\uf8ff])*)$/;

export function mayHaveDrawn(element) {
  // The style sheets in the element's shadow tree may draw text too.
  if (drawersIn === null || shadowRoot(element)) return true;
  const drawers = drawersOf(rootAround(element));
  return drawers === null || (drawers.size > 0 && drawers.has(element));
}

function drawersOf(root) {
  let drawers = drawersIn?.get(root);
  if (drawers === undefined) {
    const carousels = [];
    drawers = readDrawers(root, carousels);
    drawersIn?.set(root, drawers);
    carouselsIn.set(root, carousels);
  }
  return drawers;
}

// Returns selectors of the elements that may have a carousel's buttons or a marker. Of a style sheet
// that can't be read, nothing is known.
export function carouselSelectors(root) {
  const drawers = drawersOf(root);
  return { selectors: carouselsIn.get(root), isUnsure: drawers === null };
}

function readDrawers(root, carousels) {
  const selectors = [];
  let isUnknown = false;
  for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
    try {
      collectDrawing(sheet, selectors, carousels);
    } catch {
      isUnknown = true; // a style sheet from another site
    }
  }
  if (isUnknown) return null;
  try {
    // Selectors from @scope or nested rules can't be queried on their own.
    if (selectors.length > MAX_DRAWING || /&|:scope|:host|::slotted|::part/.test(selectors)) return null;
    return new Set(selectors.length ? all(root, selectors.join()) : []);
  } catch {
    return null; // a selector that is invalid on its own
  }
}

// Returns a rule's selector with the selector of the rule around it; "" if it gets too long, because
// it may double at each level.
const MAX_SELECTOR = 2000;
export function nestedSelector(selector, around) {
  const parts = selector.split("&");
  return parts.length === 1 ? selector
    : parts.length * around.length > MAX_SELECTOR ? "" : parts.join(`:is(${around})`);
}

// `around`: the selector that "&" means in a nested rule.
function collectDrawing(sheet, selectors, carousels, around = "") {
  for (const rule of sheet.cssRules) {
    const selector = rule.selectorText;
    if (selector !== undefined && PSEUDO.test(selector)) {
      if (selector.includes("::scroll-")) carousels.push(nestedSelector(selector, around));
      else if (!NO_WORDS.test(rule.style.content)) selectors.push(selector.replace(/(^|[\s>+~,(])::?(before|after)/g, "$1*").replace(/::?(before|after)/g, ""));
    }
    if (rule.cssRules?.length) {
      collectDrawing(rule, selectors, carousels, selector === undefined ? around : nestedSelector(selector, around));
    }
    else if (rule.styleSheet) collectDrawing(rule.styleSheet, selectors, carousels);
  }
}

const DRAWN = /\/|"((?:[^"\\]|\\.)*)"|[\w-]+\((?:"(?:[^"\\]|\\.)*"|[^")])*\)/gs;
const ESCAPED = /\\(?:([0-9a-f]{1,6})\s?|(.))/gis;

export function drawnBy(element, pseudo) {
  const style = getComputedStyle(element, pseudo);
  const content = style.content;
  if (content === "none" || content === "normal" || content === '""') return "";
  if (style.display === "none" || style.visibility !== "visible") return "";
  let text = "";
  for (const [piece, words] of content.matchAll(DRAWN)) {
    // The text after a slash is spoken instead of the text before it.
    if (piece === "/") text = "";
    else if (words !== undefined) text += unescaped(words);
  }
  // Icon fonts use the private use area, which contains no words.
  text = text.replace(/[\ue000-\uf8ff]/g, "");
  return style.display.startsWith("inline") && style.display !== "inline-block" ? text : ` ${text} `;
}

const unescaped = (words) =>
  words.replace(ESCAPED, (_, hex, other) => {
    const code = parseInt(hex, 16);
    return hex ? (code > 0 && code < 0x110000 ? String.fromCodePoint(code) : "\ufffd") : other;
  });
