// Watches drag and drop: did the page let a drag begin, did it react at all, and how did it end?

import { kindOf } from "../accessibility/field_kinds.js";
import { identified } from "../dom/element_ids.js";
import { attribute, boundingRect, localName, matches, parentNode } from "../dom/natives.js";

// Returns how far past a sibling's center to drop an element. A list inserts the element behind the
// sibling whose center the mouse has passed.
export function pastMiddle(sourceId, goalId) {
  const [source, goal] = [identified(sourceId), identified(goalId)];
  const areAlike = source && goal && source !== goal &&
    parentNode(source) === parentNode(goal) && localName(source) === localName(goal) &&
    !/absolute|fixed/.test(getComputedStyle(source).position);
  if (!areAlike) return { x: 0, y: 0 };
  const [from, to] = [boundingRect(source), boundingRect(goal)];
  const past = (way, size) => (Math.abs(way) < size / 2 ? 0 : (Math.sign(way) * size) / 4);
  return { x: past(to.x - from.x, to.width), y: past(to.y - from.y, to.height) };
}

let dragging = null;

const ALL = { subtree: true, childList: true, characterData: true, attributes: true };
const REACTIONS = ["scroll", "input", "change"];
const DRAWN_IN = "canvas, video, audio, iframe, frame, object, embed, input, textarea, select";

const MAX_ABOVE = 5;
const MOVABLE = /drag|sort|grab|handle/i;

// Whether a pressed element seems draggable.
function isMovable(path) {
  const elements = path.filter((one) => one instanceof Element).slice(0, MAX_ABOVE);
  return elements.length > 0 && /grab|move/.test(getComputedStyle(elements[0]).cursor) || elements.some((one) =>
    ["aria-roledescription", "aria-grabbed", "class", "id"].some((name) =>
      attribute(one, name) !== null && MOVABLE.test(`${name} ${attribute(one, name)}`)));
}

// Whether the page has reacted to the press and the moves, as far as its document shows.
function reactions() {
  const seen = { any: false, isMovable: false };
  const reacts = () => { seen.any = true; };
  const observer = new MutationObserver(reacts);
  const begin = (event) => {
    const path = event.composedPath();
    seen.any = path[0] instanceof Element && matches(path[0], DRAWN_IN); // changes inside these elements can't be observed
    seen.isMovable = isMovable(path);
    observer.disconnect();
    for (const root of [document, ...path.filter((one) => one instanceof ShadowRoot)]) observer.observe(root, ALL);
    for (const kind of REACTIONS) addEventListener(kind, reacts, true);
  };
  addEventListener("pointerdown", begin, true);
  return {
    seen,
    end() {
      observer.disconnect();
      removeEventListener("pointerdown", begin, true);
      for (const kind of REACTIONS) removeEventListener(kind, reacts, true);
    },
  };
}

export function dragExpected() {
  dragging?.forget();
  const events = {};
  const reacted = reactions();
  const note = (event) => {
    events[event.type] = { event, effect: event.dataTransfer?.dropEffect, path: event.composedPath() };
  };
  for (const kind of DRAG_EVENTS) addEventListener(kind, note, true);
  dragging = {
    events, reacted: reacted.seen,
    forget: () => {
      reacted.end();
      for (const kind of DRAG_EVENTS) removeEventListener(kind, note, true);
      dragging = null;
    },
  };
}

// Whether the page accepts data that is dragged over it from outside. Chromium itself accepts files
// in a file input, and text in a field.
export function dragTaken(hasFiles) {
  const { dragover } = dragging?.events ?? {};
  if (!dragover) return false;
  const [target] = dragover.path;
  if (dragover.event.defaultPrevented) return true;
  const isFileInput = localName(target) === "input" && target.type === "file";
  return hasFiles ? isFileInput : !isFileInput && Boolean(kindOf(target) || target.isContentEditable);
}

const DRAG_EVENTS = ["dragstart", "dragend", "dragover", "drop"];

// Returns whether a drag began here without being prevented, and the effects with which it ended
// here and was dropped here. An effect is "none" if no element accepted the drop, and null without
// an event. Waits up to some milliseconds for the end of a drag that began here. Also returns
// whether the page reacted, and whether the pressed element seems draggable.
export async function dragSeen(milliseconds) {
  if (!dragging) return { began: false, ended: null, dropped: null, reacted: true, isMovable: false };
  const { events, reacted, forget } = dragging;
  const { dragstart } = events;
  const began = dragstart !== undefined && !dragstart.event.defaultPrevented;
  const until = performance.now() + milliseconds;
  while (began && !events.dragend && performance.now() < until) {
    await new Promise((later) => setTimeout(later, 5));
  }
  forget();
  const selects = getSelection()?.isCollapsed === false; // also for the element that should have been dragged
  return {
    began, ended: events.dragend?.effect ?? null, dropped: events.drop?.effect ?? null,
    reacted: reacted.any || (selects && !reacted.isMovable),
    isMovable: reacted.isMovable,
  };
}
