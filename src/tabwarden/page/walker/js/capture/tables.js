// The rows of a native or ARIA table, and the cells in the rows.

import { roleOf } from "../accessibility/names_and_roles.js";
import { CELLS, rowKey, TABLES } from "../accessibility/parts.js";
import { flatChildren } from "../dom/flat_tree.js";
import { all, attribute, firstOf, hasAttribute, isElement, localName, parentNode } from "../dom/natives.js";
import { GONE, showing } from "../dom/visibility.js";

const HEADS = new Set(["columnheader", "rowheader"]);
const NATIVE = new Set("tbody thead tfoot tr td th".split(" "));
const MOST_SPANNED = 50;

const holdsData = (tag, role) => tag === "td" || tag === "th" || CELLS.has(role);
const isTable = (tag, role) => tag === "table" || TABLES.has(role);

// Returns a table's drawn rows, each as a list of cells. Rows with the same number are merged, as
// beside a pinned column.
export function rowsOf(table) {
  const rows = new Map();
  for (const row of partsOf(table, (tag, role) => tag === "tr" || role === "row")) {
    const key = rowKey(row);
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push(...partsOf(row, holdsData));
  }
  return [...rows.values()];
}

// Returns the outermost drawn parts of a kind that are not in an inner table.
function partsOf(element, isMeant, found = []) {
  for (const child of flatChildren(element, localName(element))) {
    if (!isElement(child) || showing(child) === GONE) continue;
    const tag = localName(child);
    const role = NATIVE.has(tag) ? "" : roleOf(child, tag);
    if (isMeant(tag, role)) found.push(child);
    else if (!isTable(tag, role)) partsOf(child, isMeant, found);
  }
  return found;
}

export const isHead = (cell) =>
  localName(cell) === "th" || (hasAttribute(cell, "role") && HEADS.has(roleOf(cell, localName(cell))));

// Returns the attributes for the number of columns and rows that a cell spans.
export function spansOf(cell) {
  const spanAttribute = (name, native) => {
    const span = Math.min(MOST_SPANNED, native ?? Number(attribute(cell, `aria-${name}`)));
    return Number.isInteger(span) && span > 1 ? ` ${name}="${span}"` : "";
  };
  return spanAttribute("colspan", cell.colSpan) + spanAttribute("rowspan", cell.rowSpan);
}

// Whether a table has data. A layout table has a single column, a role such as presentation, or
// inner tables and no headers.
export function isDataTable(element, tag, role) {
  if (!isTable(tag, role)) return false;
  if (role === "none" || role === "presentation") return false;
  if (tag === "table" && firstOf(element, "table") && !isHeaded(element)) return false;
  return rowsOf(element).some((cells) => cells.length > 1);
}

const isHeaded = (table) =>
  [...all(table, "th, thead, caption")].some((one) => tableAround(one) === table);

function tableAround(element) {
  let at = parentNode(element);
  while (at && localName(at) !== "table") at = parentNode(at);
  return at;
}
