// Covers text that contains a secret, in every screenshot. Python finds the text, because no page
// may get the secrets: `drawnTexts` returns the text that this document draws, and `coverTexts`
// covers parts of it.

import { suspectAll } from "../dom/closed_root_suspects.js";
import {
  attribute, createRange, createTreeWalker, data, isText, localName, parentNode, rootOf,
} from "../dom/natives.js";
import { holdSecret } from "../dom/secret_fields.js";
import { shadowRoot } from "../dom/shadow_roots.js";

const NAME = "tabwarden-secret";
const STYLE = `::highlight(${NAME}) { background: #000; color: #000; -webkit-text-fill-color: #000;
  -webkit-text-stroke: 0; text-shadow: none; text-decoration: none }`;
const NODES = 5; // NodeFilter.SHOW_ELEMENT + SHOW_TEXT
const UNDRAWN = new Set(["script", "style", "noscript", "title"]);
const DRAWS_VALUE = new Set(["input", "textarea", "select", "img"]);
const LONGEST_DRAWN = 4_000_000;

let texts = [];
let fields = [];
let sheet = null;
let covered = new Map(); // maps each text node to its ranges

// Returns all drawn text as one string, so that text across several nodes is found too, and the
// texts that each field or image draws.
export function drawnTexts() {
  texts = [];
  fields = [];
  const root = rootOf(document);
  if (root) collect(root);
  const text = texts.map(data).join("").slice(0, LONGEST_DRAWN).toWellFormed();
  return { text, fields: fields.map(textDrawnBy), suspects: suspectAll() };
}

function collect(root) {
  const walker = createTreeWalker(document, root, NODES);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (isText(node)) {
      const around = parentNode(node);
      if (!around || !UNDRAWN.has(localName(around) ?? "")) texts.push(node);
      continue;
    }
    if (DRAWS_VALUE.has(localName(node))) fields.push(node);
    const inner = shadowRoot(node);
    if (inner) collect(inner);
  }
}

function textDrawnBy(field) {
  const chosen = field.selectedOptions?.[0]?.label ?? "";
  const value = localName(field) === "select" ? chosen : String(field.value ?? "");
  const rest = ["placeholder", "alt"].map((name) => attribute(field, name) ?? "");
  return [value, ...rest].join("\n").slice(0, LONGEST_DRAWN).toWellFormed();
}

// Covers the parts `[start, end]` of the text, and the fields by their numbers. Returns whether any
// of these was not covered before.
export function coverTexts(parts, numbers) {
  const before = covered;
  covered = new Map();
  let isNew = false;
  let at = 0;
  for (const node of texts) {
    const from = at;
    at += data(node).length;
    const places = parts
      .filter(([start, end]) => end > from && start < at)
      .map(([start, end]) => [Math.max(start - from, 0), Math.min(end, at) - from]);
    if (!places.length) continue;
    const ranges = before.get(node) ?? [];
    const isKept = ranges.length === places.length && ranges.every((range, k) => isAt(range, places[k]));
    isNew ||= !isKept;
    covered.set(node, isKept ? ranges : places.map((place) => rangeIn(node, place)));
  }
  // Covering the same parts again would make the browser draw the page, and require another
  // screenshot.
  if (isNew || covered.size !== before.size || !CSS.highlights.has(NAME)) {
    CSS.highlights.set(NAME, new Highlight(...[...covered.values()].flat()));
  }
  style();
  for (const number of numbers) isNew = hide(fields[number]) || isNew;
  return isNew;
}

// A range moves when the page changes its text.
function isAt(range, [start, end]) {
  return range.startOffset === start && range.endOffset === end;
}

function rangeIn(node, [start, end]) {
  const range = createRange(document);
  range.setStart(node, start);
  range.setEnd(node, end);
  return range;
}

function style() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
  }
  const roots = [document, ...texts.map((node) => node.getRootNode())];
  for (const root of new Set(roots)) {
    if (root.adoptedStyleSheets && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  }
}

const TEXT_FIELD = new Set(["text", "search", "url", "tel", "email", "password", "number", "textarea"]);

function hide(field) {
  const takesText = TEXT_FIELD.has(field.type) && String(field.value ?? "") !== "";
  const before = field.style.cssText;
  if (takesText) holdSecret(field);
  else field.style.setProperty("opacity", "0", "important");
  return field.style.cssText !== before;
}
