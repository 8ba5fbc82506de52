// The effect of an input on the document: counts of lines that appeared and disappeared,
// announcements, and changed states. These are facts for one line of the result, without a
// judgement.
//
// Observing begins at the input. Changes are collected, and evaluated when Python requests them.
// Later changes are kept for the next request: the next input's result contains them as `late`.

import { shortName } from "../accessibility/describe.js";
import { shownAs } from "../accessibility/labels.js";
import { roleOf } from "../accessibility/names_and_roles.js";
import { focusedNow } from "../document/active_element.js";
import { saysLoading } from "../document/working.js";
import { flatParent } from "../dom/flat_tree.js";
import { knowsShown, shadowRootsShown, wasShown } from "../dom/last_shown.js";
import {
  attribute, checkVisibility, closest, data, getRootNode, isConnected, isElement, isText, localName, matches,
  parentNode, scrollingElementOf, textContent,
} from "../dom/natives.js";
import { isOwnScroll, noteOwnScroll } from "../dom/own_scrolls.js";
import { takesSecret } from "../dom/secret_fields.js";
import { cutTo, squash } from "../dom/text.js";
import { GONE, showing, SHOWN } from "../dom/visibility.js";
import {
  countCome, countGone, countText, countToggled, forEach, isShownNow, noLines, ownText, textHolder,
} from "./line_counts.js";
import { shownValue } from "./slider.js";

const OBSERVED_MS = 5000;
const MAX_CHANGES = 2000;
const MAX_BESIDE = 30; // elements beside the input, which a style sheet alone may show or hide
const MAX_GLANCES = 300; // checks of added elements, which may disappear before Python's request
const MAX_GLANCED = 30; // elements in one added element
const MAX_FACTS = 4;
const MAX_SAID = 80;

const STATES = {
  "aria-checked": ["checked", "not checked"], "aria-pressed": ["pressed", "not pressed"],
  "aria-expanded": ["expanded", "collapsed"], "aria-selected": ["selected", "not selected"],
  "aria-disabled": ["disabled", "enabled"], "aria-busy": ["busy", "not busy"],
  "aria-invalid": ["invalid", "valid"],
  disabled: ["disabled", "enabled"],
};
// Names and descriptions of elements, and the values of widgets.
const NAMED_BY = ["title", "alt", "placeholder", "aria-label", "aria-description", "aria-valuenow", "aria-valuetext"];
const SHOWN_BY = ["class", "style", "hidden", "open", "aria-hidden", "popover", "data-state"];
const OBSERVED = {
  subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true,
  attributeFilter: [...Object.keys(STATES), ...SHOWN_BY, ...NAMED_BY],
};
const LIVE = '[aria-live="polite"], [aria-live="assertive"], [role="alert"], [role="status"], [role="log"], output';

let effect = null;
const observer = new MutationObserver(keepChanges);
const requests = new PerformanceObserver((list) => keepRequests(list.getEntries()));

function keepRequests(entries) {
  for (const { name, responseStatus } of entries) {
    if (responseStatus < 400 || name.endsWith("/favicon.ico")) continue;
    if (effect?.failed.length < MAX_FACTS) effect.failed.push([name, responseStatus]);
  }
}

function keepChanges(records) {
  if (!effect || effect.isFull) return;
  if (performance.now() > effect.began + OBSERVED_MS) {
    observer.disconnect();
    requests.disconnect();
    return;
  }
  effect.records.push(...records);
  noteChanges(records);
  for (const record of records) glanceAt(record);
  if (effect.records.length > MAX_CHANGES) {
    effect.isFull = true;
    observer.disconnect();
  }
}

// Begins to observe, unless the same action has already begun. Adds the control that the input acts
// on: keys act on the focused control.
// `scrolls`: the control scrolls something around the element. No event has told that yet when the
// effect is read.
export function effectBegins(element = null, scrolls = false) {
  if (!effect || effect.isTold) {
    const late = seen();
    observer.disconnect();
    effect = {
      began: performance.now(), records: [], failed: [], isFull: false, isTold: false,
      controls: new Map(), near: new Set(), late, count: 0, last: 0,
      glances: 0, said: new Map(), passing: new Map(), toggled: new Map(), scrolled: new Set(), positions: new Map(), invalid: null,
    };
    addEventListener("beforetoggle", noteToggle, true);
    addEventListener("toggle", noteToggle, true);
    addEventListener("scroll", noteScroll, SCROLLED);
    addEventListener("invalid", noteInvalid, true);
    requests.observe({ type: "resource" });
    observer.observe(document, OBSERVED);
    for (const root of shadowRootsShown()) observer.observe(root, OBSERVED);
  }
  if (!element) {
    const focused = focusedNow();
    const state = focused && stateOf(focused);
    if (state) effect.controls.set(focused, state);
    return;
  }
  for (let root = getRootNode(element); root && root !== document; root = root.host && getRootNode(root.host)) {
    if (!(root instanceof ShadowRoot)) break;
    observer.observe(root, OBSERVED);
  }
  const control = controlUnder(element);
  if (control) effect.controls.set(control, stateOf(control));
  effect.near.add(element);
  for (let at = scrolls ? element : null; at && isElement(at); at = flatParent(at)) effect.positions.set(at, positionIn(at));
  const parent = flatParent(element);
  if (parent && isElement(parent)) effect.near.add(parent);
}

// These attributes show or hide an element. A class or a style may change only how it looks.
const SHOWS = new Set(["hidden", "open", "popover", ...NAMED_BY]);

const changes = new WeakMap();

function noteChanges(records) {
  const now = performance.now();
  if (records.length) {
    effect.last = now;
    changed?.();
  }
  for (const { type, target, addedNodes } of records) {
    if (type === "attributes") changes.set(target, now);
    else for (const node of addedNodes) changes.set(node, now);
  }
  effect.count += records.filter(({ type, attributeName }) => type !== "attributes" || SHOWS.has(attributeName)).length;
}

// A popover opens and closes without a change in the document. The event before that may be
// canceled. The event after that comes in a later task.
function noteToggle({ type, isTrusted, target, newState }) {
  if (!isTrusted || !effect || !isElement(target) || attribute(target, "popover") === null) return;
  effect.toggled.set(target, newState);
  if (type === "beforetoggle") return;
  effect.count += 1;
  effect.last = performance.now();
  changed?.();
  if (newState === "open") glance(target);
}

const isPopoverIn = (state, element) => matches(element, ":popover-open") === (state === "open");

const SCROLLED = { capture: true, passive: true };
const SCROLLED_FIELDS = new Set(["input", "textarea", "select"]); // these scroll while text is typed

function noteScroll({ isTrusted, target }) {
  const scroller = target === document ? scrollingElementOf(document) : target;
  if (!isTrusted || !effect || !scroller || !isElement(scroller) || SCROLLED_FIELDS.has(localName(scroller))) return;
  if (performance.now() > effect.began + OBSERVED_MS || isOwnScroll(scroller)) return;
  effect.last = performance.now();
  effect.scrolled.add(scroller);
}

function positionIn({ scrollLeft: left, scrollTop: top }) {
  const across = Math.round(left) && `${Math.abs(Math.round(left))} px ${left < 0 ? "left" : "right"}`;
  const down = Math.round(top) && `${Math.abs(Math.round(top))} px ${top < 0 ? "up" : "down"}`;
  return `scrolled to ${[across, down].filter(Boolean).join(", ") || "its start"}`;
}

// The browser refuses to submit a form, and shows its message beside the first of these fields.
function noteInvalid({ isTrusted, target }) {
  if (isTrusted && effect && isElement(target) && !effect.near.has(target)) effect.invalid ??= target;
}

// Records the text of an added element, because a toast may disappear before Python's request.
function glanceAt({ type, target, addedNodes, attributeName }) {
  if (type === "childList") {
    for (const node of addedNodes) glance(node);
  } else if (type === "characterData") {
    glance(target);
  } else if (SHOWN_BY.includes(attributeName) && knowsShown() && !wasShown(target)) {
    glance(target);
  }
}

function glance(node) {
  if (!isConnected(node) || ++effect.glances > MAX_GLANCES) return;
  const text = firstLine(node);
  if (!text) return;
  announce(effect.said, node);
  if (!saysLoading(text)) effect.passing.set(node, text);
}

// The first line of text that a node shows.
function firstLine(node) {
  if (isText(node)) return isStanding(node) ? cutTo(squash(data(node)), MAX_SAID) : "";
  let text = "";
  if (isElement(node)) forEach({ visited: 0, most: MAX_GLANCED }, node, (element) => {
    const shown = text ? GONE : showing(element);
    if (shown === SHOWN) text = cutTo(ownText(element), MAX_SAID);
    return shown !== GONE;
  });
  return text;
}

// Whether a node is still in the document and shown.
function isStanding(node) {
  const element = isText(node) ? textHolder(parentNode(node)) : node;
  return isConnected(node) && element !== null && isShownNow(element);
}

// The texts that appeared and disappeared again.
function passed({ passing }) {
  const standing = new Set();
  const gone = new Set();
  for (const [node, text] of passing) (isStanding(node) ? standing : gone).add(text);
  return [...gone].filter((text) => !standing.has(text)).slice(0, MAX_FACTS);
}

let changed = null; // ends the wait of `nextChange`

// Resolves at the next change, or after `milliseconds`.
export function nextChange(milliseconds) {
  return new Promise((resolve) => {
    changed = resolve;
    setTimeout(resolve, milliseconds);
  });
}

// The time since the last change after the input, in milliseconds; null if there was no change.
export function lastChangeAgo() {
  const { last } = changesSinceInput();
  return last ? performance.now() - last : null;
}

// How many changes the input has caused so far, and when the last change was.
export function changesSinceInput() {
  if (!effect) return { count: 0, last: 0, isObserved: false, ageMs: Infinity };
  keepChanges(observer.takeRecords());
  const { count, last, began, controls } = effect;
  const toggled = [...controls].filter(([control, before]) => stateOf(control) !== before).length;
  const ageMs = performance.now() - began;
  return { count: count + toggled, last, isObserved: ageMs < OBSERVED_MS, ageMs };
}

// When an input added an element or changed its attributes; 0 if that is unknown.
export function changedAt(element) {
  if (effect) keepChanges(observer.takeRecords());
  return changes.get(element) ?? 0;
}

function controlUnder(element) {
  if (matches(element, "input, select")) return element;
  const label = closest(element, "label");
  return label?.control ?? null;
}

function stateOf(control) {
  if (localName(control) === "select") return [...control.selectedOptions].map(shownAs).join(", ");
  if (/^(checkbox|radio)$/.test(control.type)) {
    return control.indeterminate ? "mixed" : control.checked ? "checked" : "not checked";
  }
  return MOVED.has(roleOf(control, localName(control))) && !takesSecret(control) ? shownValue(control) : null;
}
const MOVED = new Set(["slider", "spinbutton"]);

// Returns the effects since the input or the last request, and late effects of the previous input.
// Returns null if observing has not begun.
export function effectSeen() {
  if (!effect) return null;
  const { late } = effect;
  effect.late = null;
  return { ...seen(), late };
}

function seen() {
  if (!effect) return null;
  keepChanges(observer.takeRecords());
  const ms = Math.round(performance.now() - effect.began);
  keepRequests(requests.takeRecords());
  const { records, failed, controls, near, isFull, said, toggled, scrolled, invalid } = effect;
  const gone = passed(effect);
  Object.assign(effect, { records: [], failed: [], said: new Map(), passing: new Map(), toggled: new Map(), scrolled: new Set(), invalid: null });
  effect.isTold = true;
  const lines = noLines();
  const states = new Map();
  const changed = new Map(); // an element with a changed attribute, and its first old values
  const was = new Map(); // a node and whether it was in the document before
  const texts = new Set();
  for (const { type, target, addedNodes, removedNodes, attributeName, oldValue } of records) {
    if (type === "attributes") {
      const before = changed.get(target) ?? {};
      if (!(attributeName in before)) before[attributeName] = oldValue;
      changed.set(target, before);
    } else if (type === "characterData") {
      texts.add(target);
    } else {
      for (const node of removedNodes) if (!was.has(node)) was.set(node, target);
      for (const node of addedNodes) if (!was.has(node)) was.set(node, null);
    }
  }
  for (const [node, from] of was) {
    const stands = isConnected(node);
    if (from !== null && !stands) countGone(lines, node, from);
    else if (from === null && stands) countCome(lines, node);
    announce(said, stands ? node : null);
  }
  for (const text of texts) {
    const holder = textHolder(parentNode(text));
    if (!holder || was.has(text) || !isConnected(text)) continue;
    if (isShownNow(holder)) lines.lost.add(holder); // with its old text
    countText(lines, holder, data(text));
    announce(said, text);
  }
  const seemsChanged = new Set();
  let looks = 0;
  let names = 0;
  for (const [element, before] of changed) {
    if (!isConnected(element) || was.has(element)) continue;
    let isLook = false;
    let isName = false;
    for (const [name, old] of Object.entries(before)) {
      const now = attribute(element, name);
      if (now === old) continue;
      if (STATES[name]) states.set(element, stateWord(name, now));
      else if (NAMED_BY.includes(name)) isName = true;
      else isLook = true;
    }
    if (isName) names += 1;
    if (!isLook) continue;
    if ("open" in before && localName(element) === "details") countOwnText(lines, element);
    looks += 1;
    seemsChanged.add(element);
  }
  for (const [element, state] of toggled) {
    if (!isPopoverIn(state, element)) continue;
    if (knowsShown()) seemsChanged.add(element);
    else states.set(element, `now ${state}`);
  }
  if (knowsShown()) {
    for (const element of seemsChanged) if (isConnected(element)) countToggled(lines, element);
    const beside = { ...lines, visited: 0, most: MAX_BESIDE };
    for (const element of near) if (isConnected(element)) countToggled(beside, element);
    Object.assign(lines, { came: beside.came, text: beside.text });
  }
  if (invalid && isConnected(invalid) && invalid.validationMessage) {
    states.set(invalid, `is invalid: ${JSON.stringify(cutTo(squash(invalid.validationMessage), 100))}`);
  }
  for (const [control, before] of controls) {
    const now = stateOf(control);
    if (now === before || now === null) continue;
    const isCheck = /^(checkbox|radio)$/.test(control.type);
    states.set(control, isCheck ? `now ${now}` : `shows ${JSON.stringify(cutTo(now, 60))}`);
    controls.set(control, now);
  }
  for (const [scroller, before] of effect.positions) {
    if (positionIn(scroller) !== before) scrolled.add(scroller);
  }
  effect.positions.clear(); // later, events tell
  for (const scroller of scrolled) {
    if (!isConnected(scroller) || isOwnScroll(scroller)) continue;
    states.set(scroller, positionIn(scroller));
    noteOwnScroll(scroller); // an event that tells this again may follow
  }
  return {
    ms, came: lines.came, went: lines.lost.size, text: lines.text,
    said: [...said.values()].slice(0, MAX_FACTS), passed: gone,
    states: [...states].slice(0, MAX_FACTS).map(([element, state]) => ({
      role: element === scrollingElementOf(document) ? "page" : roleOf(element, localName(element)),
      name: shortName(element), state,
    })),
    looks, names, failed: failed.map(([url, status]) => ({ url: cutTo(url, 2000), status })), isMore: isFull || lines.isCut,
  };
}

// A text directly in a <details>, which is itself shown before and after.
function countOwnText(lines, details) {
  if (details.open) countText(lines, details, ownText(details));
  else if (ownText(details) && isShownNow(details)) lines.lost.add(details);
}

function stateWord(name, now) {
  const [on, off] = STATES[name];
  if (now === "mixed") return "now mixed";
  const isOn = name === "disabled" ? now !== null : now !== null && now !== "false";
  return `now ${isOn ? on : off}`;
}

function announce(said, node) {
  const element = node && (isElement(node) ? node : parentNode(node));
  if (!element || !isElement(element)) return;
  const region = closest(element, LIVE) ?? element.querySelector(LIVE);
  if (!region || !checkVisibility(region)) return;
  const text = squash(textContent(region), 10_000);
  if (text) said.set(region, cutTo(text, MAX_SAID));
}
