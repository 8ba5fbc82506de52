// Determines whether a reader sees two texts as separate words, although no white space separates
// them.

import { createRange, data, localName, rootOf, textContent } from "../dom/natives.js";
import { flatParent } from "../dom/flat_tree.js";

const IN_LINE = /^(inline|contents|ruby.*)$/;
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const GAP = 0.22; // a share of the line's height, about the width of a space
const CODE = new Set(["code", "kbd", "samp"]); // their padding is not a gap

// Whether an inline tag is drawn as a box, such as an item in a toolbar or a cell. A single
// character may be a part of an animated word.
export const isApart = (element) =>
  !IN_LINE.test(getComputedStyle(element).display) && textContent(element).trim().length > 1;

// Whether there is a gap between two text nodes.
export function standApart(before, after) {
  if ([before, after].some((text) => CODE.has(localName(flatParent(text) ?? rootOf(document))))) return false;
  const left = boxesOfText(before).at(-1);
  const right = boxesOfText(after)[0];
  if (!left || !right) return false;
  if (left.bottom <= right.top || right.bottom <= left.top) {
    return !WITHOUT_SPACES.test(data(before).trimEnd().slice(-1) + data(after).trimStart()[0]);
  }
  const gap = Math.max(right.left - left.right, left.left - right.right);
  return gap > GAP * Math.max(left.height, right.height);
}

function boxesOfText(text) {
  const range = createRange(document);
  range.selectNodeContents(text);
  return [...range.getClientRects()].filter((box) => box.width > 0);
}
