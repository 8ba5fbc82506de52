// Draws refs over the page for a screenshot, in the top layer, where the page can't cover them.

import { labelPlaces } from "./label_places.js";
import { createRange, createTreeWalker, data, rootOf, scrollingElementOf } from "../dom/natives.js";
import { boxesOf, hasArea } from "../geometry/boxes.js";
import { seenOf } from "../geometry/clipping.js";
import { drawnWithId } from "../geometry/drawn_checks.js";

const COLOR = "#d6006c";
const HEIGHT = 13;
const SIGN = 6.7; // the width of a character; the font's digits have the same width
const MOST_TEXTS = 3000;
const TEXTS = 4; // NodeFilter.SHOW_TEXT

let drawing = null;

export function annotate(labels) {
  unannotate();
  drawing = document.createElement("div");
  drawing.setAttribute("popover", "manual");
  drawing.setAttribute("aria-hidden", "true"); // hidden from snapshots
  drawing.style.cssText =
    "position:absolute;inset:0 auto auto 0;margin:0;padding:0;border:0;overflow:visible;" +
    "width:0;height:0;background:none;pointer-events:none";
  const root = drawing.attachShadow({ mode: "closed" });
  const boxes = [];
  for (const [id, label] of Object.entries(labels)) {
    const box = seenBox(drawnWithId(Number(id)));
    if (box) boxes.push({ ...box, label });
  }
  const texts = boxesOfTexts();
  for (const box of boxes) root.append(frameAround(box));
  for (const whole of [false, true]) {
    const some = boxes.filter((box) => isOnScreen(box) !== whole);
    const place = labelPlaces(boxes, texts, whole ? wholePage() : screen());
    for (const box of some) root.append(...tagBeside(box, place));
  }
  rootOf(document).append(drawing);
  drawing.showPopover();
}

// Returns the visible part of an element, in coordinates of the page.
function seenBox(element) {
  const first = element && boxesOf(element)[0];
  if (!first) return null;
  const seen = seenOf(element, first);
  return hasArea({ width: seen.right - seen.left, height: seen.bottom - seen.top }) ? onPage(seen) : null;
}

const onPage = ({ left, top, right, bottom }) => ({
  left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY,
});

// Returns where the lines of text are, unless there are too many.
function boxesOfTexts() {
  const found = [];
  const range = createRange(document);
  const walker = createTreeWalker(document, rootOf(document), TEXTS);
  for (let node = walker.nextNode(); node && found.length < MOST_TEXTS; node = walker.nextNode()) {
    if (!data(node).trim()) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (hasArea(box)) found.push(onPage(box));
  }
  return found;
}

const screen = () => ({ left: scrollX, top: scrollY, right: scrollX + innerWidth, bottom: scrollY + innerHeight });

function wholePage() {
  const { scrollWidth = innerWidth, scrollHeight = innerHeight } = scrollingElementOf(document) ?? {};
  return { left: 0, top: 0, right: Math.max(scrollWidth, innerWidth), bottom: Math.max(scrollHeight, innerHeight) };
}

function isOnScreen(box) {
  const { left, top, right, bottom } = screen();
  return box.right > left && box.left < right && box.bottom > top && box.top < bottom;
}

function frameAround({ left, top, right, bottom }) {
  const frame = document.createElement("div");
  frame.style.cssText =
    `position:absolute;left:${left}px;top:${top}px;width:${right - left}px;height:${bottom - top}px;` +
    `outline:2px solid ${COLOR};outline-offset:-1px`;
  return frame;
}

// Returns the label, and a line to its element if other labels are between them.
function tagBeside(box, place) {
  const width = Math.ceil(box.label.length * SIGN) + 4;
  const { left: x, top: y } = place(box, width, HEIGHT);
  const text = document.createElement("span");
  text.textContent = box.label;
  text.style.cssText =
    `position:absolute;left:${x}px;top:${y}px;width:${width}px;height:${HEIGHT}px;text-align:center;` +
    `font:bold 11px/${HEIGHT}px sans-serif;background:${COLOR};color:#fff;white-space:nowrap`;
  const gap = Math.max(box.top - y - HEIGHT, y - box.bottom);
  if (gap <= 0) return [text];
  const line = document.createElement("div");
  line.style.cssText =
    `position:absolute;left:${Math.max(x, box.left) + 1}px;top:${y < box.top ? y + HEIGHT : box.bottom}px;` +
    `width:1px;height:${gap}px;background:${COLOR}`;
  return [line, text];
}

export function unannotate() {
  drawing?.remove();
  drawing = null;
}
