// How much of a table or list is in the document, if the page reports a larger total. A virtual
// table or list contains only the visible part.

import { attribute } from "../dom/natives.js";

export const TABLES = new Set(["table", "grid", "treegrid"]);
export const CELLS = new Set("cell gridcell columnheader rowheader".split(" "));
export const ITEMS = { list: "listitem", listbox: "option", feed: "article", menu: "menuitem", tree: "treeitem" };
export const PARTED = new Set([...TABLES, ...Object.keys(ITEMS)]);

function total(element, name) {
  const given = attribute(element, name);
  const number = Number(given ?? undefined);
  return Number.isSafeInteger(number) && number >= -1 ? number : null;
}

// Returns words such as "24 of 201 rows", or "". -1 means that the page does not know the number.
const partWords = (count, of, what) =>
  of === null || (of >= 0 && of <= count) || !count ? "" : `${count} of ${of < 0 ? "?" : of} ${what}`;

// Rows with the same number are parts of one row, as beside a pinned column.
export const rowKey = (row) => attribute(row, "aria-rowindex") ?? row;

// Returns such words for a table with some of the rows: the number of cells in each row.
export function partOfTable(table, sizes) {
  const rows = partWords(sizes.length, total(table, "aria-rowcount"), "rows");
  const columns = partWords(Math.max(0, ...sizes), total(table, "aria-colcount"), "columns");
  return [rows, columns].filter(Boolean).join(", ");
}

// Returns such words for items that report the size of their set.
export function partOfList(items) {
  const of = items.length ? total(items[0], "aria-setsize") : null;
  const isOfSet = (item) => total(item, "aria-setsize") === of;
  return of === null ? "" : partWords(items.filter(isOfSet).length, of, "items");
}

// Returns such words for the record of an outline at `at` and the records below it.
export function partOfRecord(role, at, depths, roles, where) {
  if (TABLES.has(role)) {
    const table = where[at];
    if (total(table, "aria-rowcount") === null && total(table, "aria-colcount") === null) return "";
    const rows = new Map();
    let row = null;
    for (let one = at + 1; one < depths.length; one++) {
      if (roles[one] === "row") row = rowKey(where[one]);
      if (row !== null) rows.set(row, (rows.get(row) ?? 0) + CELLS.has(roles[one]));
    }
    return partOfTable(table, [...rows.values()]);
  }
  const item = ITEMS[role];
  if (!item || roles[at + 1] !== item || total(where[at + 1], "aria-setsize") === null) return "";
  const items = [];
  for (let one = at + 1; one < depths.length; one++) if (roles[one] === item) items.push(where[one]);
  return partOfList(items);
}
