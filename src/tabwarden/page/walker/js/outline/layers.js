// Layers: the page's open dialogs, or another layer over the page, and the covered elements.

import { ACTED_ON } from "../accessibility/clickable.js";
import { DIALOGS } from "../accessibility/role_sets.js";
import { isInside } from "../dom/flat_tree.js";
import { boundingRect, contains, firstOf, parentNode, scrollingElementOf } from "../dom/natives.js";
import { anyRoots } from "../dom/shadow_roots.js";
import { inViewport } from "../geometry/viewport.js";
import { coverOf } from "../hits/cover.js";
import { hitAt } from "../hits/hit_test.js";
import { hitsOf, isReached, isUntested } from "./offscreen_obscured.js";

// These are listed with the dialog although they are outside it, because they may report on it or
// belong to it.
const IN_FRONT = new Set("alert status log menu listbox tooltip dialog alertdialog".split(" "));
// The maximum number of covered elements that are marked one by one.
const FEW = 2;
const WHOLE = 0.95;

// Whether a page has hidden this drawn element from assistive technology because of a dialog beside
// it.
export function isSetAside(element, dialogs) {
  const parent = parentNode(element);
  return dialogs.some((one) => contains(parent, one) && !contains(element, one)) &&
    firstOf(element, ACTED_ON) !== null;
}

// Reorders the records: the dialogs first, and the records behind them last. Returns the outline
// with `layers`: `behind` is the first record behind the dialog with the id `by`, or the record
// count. `covers` has the other covers: [id, ids of the covered elements].
//
// `aside` are the ranges of records that the page has set aside.
export function arranged(outline, modal, modalRange, aside) {
  const fronts = modal ? [modalRange] : dialogsIn(outline);
  if (!fronts.length) outline = without(outline, aside);
  const covered = hitsOf(outline.states);
  if (!fronts.length && !covered.length) return outline;
  const groups = groupedByCover(covered, outline);
  const wall = modal ? null : wallAmong(groups);
  if (wall && !fronts.length) fronts.push(rangeOf(frontOf(wall), outline.where));
  const found = fronts.filter(([start, end]) => end > start);
  const isWhole = found.length > 0 && (modal !== null || wall !== null || aside.length > 0);
  const covers = [];
  for (const [cover, group] of groups) {
    if (group.length <= FEW) continue;
    for (const at of group) unmark(outline.states, at);
    if (!isWhole) covers.push([idIn(outline, rangeOf(cover, outline.where)), group.map((at) => outline.ids[at])]);
  }
  const wrong = new Set(covered.map(([at]) => at));
  for (const [start, end] of aside) for (let at = start; at < end; at++) wrong.add(at);
  const order = inFront(outline, found, isWhole, wrong);
  const behind = isWhole ? order.count : outline.roles.length;
  const by = found.length ? idIn(outline, found[0]) : 0;
  return { ...reordered(outline, order), layers: { behind, by, covers } };
}

// Whether a click scrolls an element out from under a bar at the top or bottom of the viewport.
function scrollsOut(element, cover) {
  const root = scrollingElementOf(document);
  if (!root || !BARS.has(getComputedStyle(cover).position)) return false;
  const [box, bar] = [boundingRect(element), boundingRect(cover)];
  if (bar.height > innerHeight / 2) return false;
  const below = root.scrollHeight - innerHeight - root.scrollTop;
  return bar.top <= 0
    ? bar.bottom - box.top <= root.scrollTop
    : bar.bottom >= innerHeight && box.bottom - bar.top <= below;
}

const BARS = new Set(["fixed", "sticky"]);

function unmark(states, at) {
  delete states[at].obscured;
  for (const _ in states[at]) return;
  states[at] = null;
}

function groupedByCover(covered, { where, states }) {
  const groups = new Map();
  for (const [at, hit] of covered) {
    const cover = coverOf(hit, where[at]);
    if (scrollsOut(where[at], cover)) unmark(states, at);
    else if (groups.has(cover)) groups.get(cover).push(at);
    else groups.set(cover, [at]);
  }
  return groups;
}

// Returns the records of the uncovered dialogs in the viewport.
function dialogsIn({ depths, roles, where }) {
  const found = [];
  for (let at = 0; at < roles.length; at++) {
    if (!DIALOGS.has(roles[at])) continue;
    if (!isOnTop(where[at])) continue;
    const end = endOf(depths, at);
    found.push([at, end]);
    at = end - 1;
  }
  return found;
}

function isOnTop(element) {
  const seen = inViewport(boundingRect(element));
  const hit = seen && hitAt((seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2, element);
  return Boolean(hit) && isInside(hit, element);
}

// Returns the cover of several elements that fills the viewport, with one of these elements.
function wallAmong(groups) {
  for (const [cover, group] of groups) {
    const seen = group.length > FEW && inViewport(boundingRect(cover));
    if (seen && (seen.right - seen.left) >= innerWidth * WHOLE && (seen.bottom - seen.top) >= innerHeight * WHOLE &&
        isFixed(cover)) return cover;
  }
  return null;
}

const isFixed = (cover) =>
  getComputedStyle(cover).position === "fixed" || document.documentElement.scrollHeight <= innerHeight;

// A wall may only darken the page below a layer beside it.
function frontOf(wall) {
  const hit = hitAt(innerWidth / 2, innerHeight / 2);
  return !hit || isInside(hit, wall) ? wall : coverOf(hit, wall);
}

function without(outline, ranges) {
  if (!ranges.length) return outline;
  const kept = [];
  let at = 0;
  for (const [start, end] of [...ranges, [outline.roles.length]]) {
    if (start > at) kept.push([at, start]);
    at = end;
  }
  return reordered(outline, { ranges: kept, count: 0 });
}

function endOf(depths, at) {
  let end = at + 1;
  while (end < depths.length && depths[end] > depths[at]) end++;
  return end;
}

function rangeOf(element, where) {
  const isIn = anyRoots ? (one) => isInside(one, element) : (one) => contains(element, one);
  const start = where.findIndex(isIn);
  let end = start < 0 ? start : start + 1;
  while (end > 0 && end < where.length && isIn(where[end])) end++;
  return [start, end];
}

const idIn = ({ ids }, [start, end]) => (start < 0 ? 0 : ids.slice(start, end).find((id) => id) ?? 0);

// Returns the records in their new order as [start, end) ranges. The first `count` are in front.
function inFront({ depths, roles, states, ids, where }, fronts, isWhole, wrong) {
  const count = roles.length;
  const moved = new Int8Array(count);
  const ranges = [];
  const move = ([start, end]) => {
    if (moved[start]) return;
    moved.fill(1, start, end);
    ranges.push([start, end]);
  };
  fronts.forEach(move);
  if (isWhole) {
    const [first] = fronts[0];
    for (const root of rootsWithout(depths, (at) => moved[at] || wrong.has(at))) {
      const [start, end] = root;
      for (let at = start; at < end; at++) {
        if (IN_FRONT.has(roles[at]) ? isOnTop(where[at])
          : ids[at] && (isReached(where[at]) || (at > first && isUntested(states[at])))) {
          move(root);
          break;
        }
      }
    }
  }
  const front = ranges.reduce((sum, [start, end]) => sum + end - start, 0);
  for (let at = 0; at < count; at++) {
    if (moved[at]) continue;
    const start = at;
    while (at + 1 < count && !moved[at + 1]) at++;
    ranges.push([start, at + 1]);
  }
  return { ranges, count: front };
}

// Returns the outermost records that contain no `wrong` record, with their content.
function rootsWithout(depths, wrong) {
  const found = [];
  const count = depths.length;
  const holds = new Int8Array(count); // whether a record is wrong or contains a wrong record
  const path = [];
  for (let at = 0; at < count; at++) {
    while (path.length && depths[path.at(-1)] >= depths[at]) path.pop();
    path.push(at);
    if (wrong(at)) for (const one of path) holds[one] = 1;
  }
  for (let at = 0; at < count; at++) {
    if (holds[at]) continue;
    const end = endOf(depths, at);
    found.push([at, end]);
    at = end - 1;
  }
  return found;
}

function reordered(outline, { ranges, count }) {
  const result = { ...outline };
  for (const column of ["depths", "roles", "names", "ids", "states", "where"]) {
    result[column] = ranges.flatMap(([start, end]) => outline[column].slice(start, end));
  }
  let at = 0;
  for (const [start, end] of ranges) {
    const outer = at < count ? outline.depths[start] : 0;
    for (let one = start; one < end; one++) result.depths[at++] -= outer;
  }
  return result;
}
