// The label that people see beside a control without a name. By the standards this label is not a
// name, so an outline marks it as `near`.

import { ACTED_ON } from "./clickable.js";
import { controlNamedBy } from "./labels.js";
import { contentText } from "./names_and_roles.js";
import { INTERACTIVE } from "./role_sets.js";
import { flatParent, INLINE_TAGS } from "../dom/flat_tree.js";
import {
  boundingRect, closest, createRange, data, describedByElements, firstOf, isElement, isText, localName, matches,
  nextSibling, parentNode, previousSibling,
} from "../dom/natives.js";
import { squash } from "../dom/text.js";
import { isHiddenFromAll, showing, SHOWN } from "../dom/visibility.js";

const TICKED = new Set(["checkbox", "radio", "switch"]);
const NEAR_FIELDS = new Set([...TICKED, ..."textbox searchbox combobox listbox spinbutton slider".split(" ")]);
// The search for a label stops at these elements.
const BOUNDS = new Set(
  "html body form fieldset table ul ol li dialog main section article nav aside header footer details label".split(" "),
);
const NO_LABEL = `${ACTED_ON}, h1, h2, h3, h4, h5, h6, legend, table, ul, ol, pre`;
// An instruction, not a caption: `Choose a date in May.`
const SENTENCE = /^\S+(\s+\S+){3,}[.!。]$/;
const MAX_OUTWARD = 4;
const MAX_NEAR_TEXT = 80;
const MAX_ACROSS = 250; // pixels between a label and its field in the same line
const MAX_DOWN = 40; // pixels between a label and the field below it

export const isField = (element, tag, role) =>
  NEAR_FIELDS.has(role) || (tag === "input" && element.type === "file");

// Returns the label beside a control without a name, or "".
export const nearOf = (element, tag, role) =>
  isField(element, tag, role) ? labelBeside(element, role) : INTERACTIVE.has(role) ? cellBeside(element) : "";

// Returns the label beside a field: the text before it, or after a checkbox or a radio button.
export function labelBeside(field, role) {
  if (!TICKED.has(role)) {
    const label = labelIn(textFrom(field, field, previousSibling));
    return SENTENCE.test(label) ? "" : label;
  }
  const after = textFrom(field, field, nextSibling);
  const before = textFrom(field, field, previousSibling);
  return labelIn(isLabeledBefore(field) ? before ?? after : after ?? before);
}

// For a control other than a field: returns the label in the cell before or after the control's
// cell.
export function cellBeside(control) {
  const cell = closest(control, "td, th");
  return cell ? labelIn(besideCell(cell, previousSibling) || besideCell(cell, nextSibling)) : "";
}

// Whether the outline shows a control's description right beside the control, so that the control's
// line need not repeat it.
export function isDescribedBeside(control) {
  const parent = flatParent(control);
  const around = parent && isElement(parent) ? flatParent(parent) ?? parent : null;
  const describers = around ? describedByElements(control) : [];
  return describers.length > 0 && describers.every((one) => around.contains(one) && showing(one) === SHOWN);
}

// Returns a text as a label, without its colon; "" if it is not one.
export function labelIn(text) {
  const label = squash(text ?? "").replace(/[\s:：]+$/, "");
  return label.length <= MAX_NEAR_TEXT && /[\p{L}\p{N}]/u.test(label) ? label : "";
}

// As in `Yes ( ) No ( )`: no text follows the last control.
function isLabeledBefore(field) {
  let last = field;
  for (let at = nextSibling(field); at; at = nextSibling(at)) if (isElement(at) && localName(at) === "input") last = at;
  return !textOn(last, nextSibling)?.text.trim();
}

// Returns the text on one side of an element or of the elements around it; null if something other
// than text comes first.
function textFrom(field, start, step) {
  let at = start;
  for (let level = 0; level < MAX_OUTWARD; level++) {
    const found = textOn(at, step);
    if (found === null) return null;
    if (found.text.trim()) return isClose(found.node, field) ? found.text : null;
    at = flatParent(at);
    if (!at || !isElement(at) || BOUNDS.has(localName(at))) return null;
    if (isCell(at)) return columnHeader(at, step) || besideCell(at, step);
  }
  return null;
}

// Returns the line of text that begins beside a node, with the line's node; null if a control is
// there.
function textOn(from, step) {
  let text = "";
  let first = null;
  for (let node = step(from); node && text.length < 4 * MAX_NEAR_TEXT; node = step(node)) {
    if (!isText(node) && !isElement(node)) continue;
    const tag = isText(node) ? "" : localName(node);
    if (tag && (isHiddenFromAll(node, tag) || showing(node) !== SHOWN)) continue;
    const inline = !tag || INLINE_TAGS.has(tag);
    if (first && !inline) break;
    if (tag && isOther(node)) return first ? { text, node: first } : null;
    const words = tag ? contentText(node, tag, null) : data(node);
    if (!first && words.trim()) first = node;
    text = step === nextSibling ? text + words : words + text;
    if (first && !inline) break;
  }
  return { text, node: first };
}

// Whether an element is or has a control, or can't be a label for another reason.
const isOther = (element) =>
  matches(element, NO_LABEL) || firstOf(element, NO_LABEL) !== null ||
  (localName(element) === "label" && controlNamedBy(element) !== null);

function isClose(node, field) {
  const range = createRange(document);
  range.selectNode(node);
  const label = range.getBoundingClientRect();
  const box = boundingRect(field);
  if (label.top < box.bottom && label.bottom > box.top) {
    return Math.max(box.left - label.right, label.left - box.right) <= MAX_ACROSS;
  }
  const down = box.top - label.bottom;
  return down >= 0 && down <= MAX_DOWN && label.left < box.right && label.right > box.left;
}

const isCell = (element) => localName(element) === "td" || localName(element) === "th";

function besideCell(cell, step) {
  let beside = step(cell);
  while (beside && !isElement(beside)) beside = step(beside);
  return beside && isCell(beside) && !isOther(beside) ? contentText(beside, localName(beside), null) : null;
}

// Returns the header above a cell of a table with as many headers as cells. The cell after a
// checkbox says more than its column does.
function columnHeader(cell, step) {
  const row = parentNode(cell);
  const table = closest(cell, "table");
  const heads = table?.rows?.[0];
  if (step === nextSibling || !heads || heads === row || heads.cells.length !== row.cells?.length) return "";
  const head = heads.cells[cell.cellIndex];
  return localName(head) === "th" ? contentText(head, "th", null) : "";
}
