// Converts the readable content of a document to plain HTML with about twenty tags. The result is a
// string for each outermost block, with the ids of the iframes between them.

import { shownAs } from "../accessibility/labels.js";
import { roleOf } from "../accessibility/names_and_roles.js";
import { ITEMS, partOfList, partOfTable } from "../accessibility/parts.js";
import { withoutLogin } from "../accessibility/states.js";
import { isDataTable, isHead, rowsOf, spansOf } from "./tables.js";
import { isApart, standApart } from "./text_gap.js";
import { identify } from "../dom/element_ids.js";
import { flatChildren, flatParent, holdsFrame, INLINE_TAGS, isInside, showsOwn } from "../dom/flat_tree.js";
import { leftBehind } from "../dom/left_behind.js";
import {
  all, attribute, data, firstChild, localName, nodeType, rootOf, textContent,
} from "../dom/natives.js";
import { holdsSecret } from "../dom/secret_fields.js";
import { openRoots } from "../dom/shadow_roots.js";
import { cutTo, squash } from "../dom/text.js";
import { GONE, INVISIBLE, isHiddenFromAll, showing, SHOWN } from "../dom/visibility.js";
import { isSelector } from "../find/wait_for.js";
import { isTiny } from "../geometry/boxes.js";
import { isFolded } from "../geometry/clipping.js";
import { checkDrawnBy } from "../geometry/drawn_checks.js";
import { recordsInColumns } from "../outline/columns.js";

const FLOW = 0; // paragraphs
const LINES = 1; // a list item, in which block content gets a line break
const PHRASE = 2; // one line
const PRE = 3;

const HEADING = /^h[1-6]$/;
const FORMATS = { b: "strong", strong: "strong", i: "em", em: "em", del: "del", s: "del", code: "code", kbd: "code", samp: "code", sub: "sub", sup: "sup" };
const UNREAD = new Set("svg canvas video audio progress meter map area".split(" "));
const isUnread = (node, name) => UNREAD.has(name) && node !== rootOf(document); // an SVG file is read
const AROUND = new Set("navigation banner contentinfo complementary search".split(" "));
const BLOCKS = "h1, h2, h3, h4, h5, h6, p, div, table, ul, ol, pre, section, article";
const BEGUN = /<(p|li|td|th|h[1-6]|dt|dd)( [^>]*)?>$/;
const DEEPEST = 600;
const LINKED = 600; // a longer link text is not a name
const SEPARATE_ROLES = new Set("button menuitem option tab".split(" "));

// `home`: the origin for which links are paths, or "".
//
// [[html, "html", "", 0] | ["", "iframe", "", id] | [count, "left", "", 0]], and whether the
// content is cut.
export function readable(selector, main, most, home) {
  linksFrom = home;
  if (selector !== null && !isSelector(selector)) return outcome("wrong");
  const root = rootOf(document);
  const roots = selector === null ? [root] : matching(selector);
  if (!roots.length || !roots[0]) return outcome("nothing");
  const kept = leftBehind();
  const shown = selector === null ? kept : new Set([...kept, ...roots]);
  const whole = blocksOf(roots, false, most, shown);
  const read = selector === null && main ? mainPart(root, whole, most, kept) : whole;
  const left = whole.length - read.length;
  if (left > whole.length / 50 && left > 40) read.nodes.push([left, "left"]);
  if (kept.size) read.nodes.push([0, "left behind"]);
  return recordsInColumns(read.nodes, read.cut);
}

// Returns the main part of the page if it is marked and long enough. Otherwise returns the page
// without navigation and similar parts, unless almost nothing would remain.
function mainPart(root, whole, most, kept) {
  const shown = [...all(document, "main, [role=main]")].filter((m) => showing(m) === SHOWN);
  const [longest] = shown.sort((a, b) => textContent(b).length - textContent(a).length);
  const part = longest ? blocksOf([longest], true, most, kept) : null;
  if (part && part.length * 5 > whole.length) return part;
  const rest = blocksOf([root], true, most, kept);
  return rest.length * 5 > whole.length || rest.length > 500 ? rest : whole;
}

const outcome = (kind) => recordsInColumns([[0, kind]], false);

function matching(selector) {
  const found = [];
  for (const root of openRoots()) {
    for (const element of all(root, selector)) {
      if (showing(element) !== GONE && !found.some((outer) => isInside(element, outer))) {
        found.push(element);
      }
    }
  }
  return found;
}

// `kept`: elements to read although the page hides them by aria-hidden.
function blocksOf(roots, without, most, kept) {
  const nodes = [];
  const frames = [];
  let out = "";
  let open = false; // whether a paragraph is open
  let depth = 0; // the nesting depth of blocks that must stay whole
  let due = ""; // the separator to write before the next text
  let last = null; // the previous text node
  let lists = 0;
  let length = 0;
  let room = most;
  let cut = false;
  let level = 0;
  const ticked = new Set(); // hidden checkboxes, each shown by its label

  const escaped = (text) =>
    text.toWellFormed().replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
  const quoted = (text) => escaped(text).replaceAll('"', "&quot;");

  const flush = () => {
    if (depth) return;
    if (out) nodes.push([0, "html", out]);
    room -= out.length;
    out = "";
    while (frames.length) nodes.push([0, "iframe", "", frames.shift()]);
  };
  const tag = (markup) => {
    out += markup;
  };
  const endParagraph = () => {
    if (open) out = `${out.trimEnd()}</p>`;
    open = false;
    due = "";
    flush();
  };
  // Separates block content from what is before or after it.
  const boundary = (context) => {
    if (context === FLOW) endParagraph();
    else if (context === PRE) tag("\n");
    else if (due !== "<br>") due = context === LINES ? "<br>" : " ";
  };
  const separate = () => {
    due ||= " ";
  };
  const say = (text, context, node = null) => {
    if (context === PRE) {
      length += text.length;
      tag(escaped(text));
      return;
    }
    const folded = text.replace(/\s+/g, " ");
    if (!folded.trim()) {
      if (folded && !due && !/(^|[\s>])$/.test(out)) due = " ";
      return;
    }
    const isGlued = !due && last && node && folded[0] !== " ";
    if (isGlued && flatParent(last) !== flatParent(node) && standApart(last, node)) separate();
    last = node;
    const begins = begin(context) || /(\s|<br>)$/.test(out);
    const words = begins ? folded.trimStart() : folded;
    const ended = words.trimEnd();
    length += ended.length;
    tag(escaped(ended));
    if (ended !== words) due = " ";
  };
  // Opens a paragraph if needed, and writes the separator. Returns whether the next text begins a
  // block.
  const begin = (context) => {
    if (context === FLOW && !open) {
      tag("<p>");
      open = true;
    }
    const fresh = BEGUN.test(out);
    if (due && !fresh) tag(due);
    const separated = fresh || due !== "";
    due = "";
    return separated;
  };

  const children = (element, name, context) => {
    if (name === "details" && !element.open) {
      const summary = all(element, ":scope > summary")[0];
      if (summary) visit(summary, context);
      return;
    }
    for (const child of flatChildren(element, name)) visit(child, context);
  };
  const wrapped = (markup, attributes, inside) => {
    tag(`<${markup}${attributes}>`);
    inside();
    due = "";
    tag(`</${markup}>`);
  };
  // Writes a block that remains a single string: a heading, a list, a table, ...
  const block = (markup, inside) => {
    endParagraph();
    depth++;
    wrapped(markup, "", inside);
    depth--;
    flush();
  };

  const visit = (node, context) => {
    if (cut || out.length > room) {
      cut = true;
      return;
    }
    const type = nodeType(node);
    if (type === 3) {
      const parent = flatParent(node);
      if (!parent || showing(parent) !== INVISIBLE) say(data(node), context, node);
      return;
    }
    if (type !== 1) return;
    const name = localName(node);
    if ((isHiddenFromAll(node, name) && !kept.has(node)) || isUnread(node, name) || showing(node) === GONE) return;
    if (firstChild(node) && isFolded(node, name)) return;
    if (holdsFrame(node, name) || name === "embed") {
      if (!isTiny(node)) frames.push(identify(node));
      boundary(context);
      return;
    }
    if (name === "object" && !showsOwn(node)) return;
    const role = roleOf(node, name);
    if (without && AROUND.has(role)) return;
    if (level >= DEEPEST) {
      cut = true;
      return;
    }
    level++;
    element(node, name, role, context);
    if (context === FLOW && role in ITEMS) tellPart(partOfList([...all(node, "[aria-setsize]")]));
    level--;
  };

  const element = (node, name, role, context) => {
    const check = name === "label" ? checkDrawnBy(node) : null;
    if (check && !ticked.has(check)) field(check, "input", context);
    if (check) ticked.add(check);
    if (name === "br") return lineBreak(context);
    if (name === "hr") return rule(context);
    if (name === "img") return image(node, context);
    if (name === "input" || name === "textarea" || name === "select") {
      return showing(node) === SHOWN ? field(node, name, context) : undefined;
    }
    if (context === PRE) return children(node, name, PRE);
    const within = () => children(node, name, PHRASE);
    if (HEADING.test(name) || role === "heading") {
      const level = Number(attribute(node, "aria-level") ?? name[1]) || 2;
      if (context === FLOW) return block(`h${Math.min(6, Math.max(1, level))}`, within);
    } else if (name === "pre" && context === FLOW) {
      return block("pre", () => children(node, name, PRE));
    } else if (name === "blockquote" && context === FLOW) {
      return block("blockquote", () => {
        children(node, name, FLOW);
        endParagraph();
      });
    } else if ((name === "ul" || name === "ol" || name === "menu") && context <= LINES) {
      return list(node, name, context);
    } else if (name === "li" && lists && context <= LINES) {
      return wrapped("li", "", () => children(node, name, LINES));
    } else if (context === FLOW && isDataTable(node, name, role)) {
      return table(node);
    } else if (isDataTable(node, name, role)) {
      return tableInLine(node, context);
    } else if (name === "dl" && context === FLOW) {
      return block("dl", () => children(node, name, LINES));
    } else if ((name === "dt" || name === "dd") && depth && context === LINES) {
      return wrapped(name, "", within);
    } else if (name === "a") {
      const url = address(attribute(node, "href"));
      if (url && textContent(node).length < LINKED) return inline(node, "a", ` href="${quoted(url)}"`, within, context);
    } else if (name in FORMATS && !all(node, BLOCKS).length) {
      return inline(node, FORMATS[name], "", within, context);
    }
    const around = !isInline(node, name)
      ? () => boundary(context)
      : SEPARATE_ROLES.has(role) || isApart(node) ? separate : () => {};
    around();
    children(node, name, context);
    around();
  };

  const inline = (node, markup, attributes, inside, context) => {
    const before = { out, open, due };
    const start = length;
    if ((markup === "a" && out.endsWith("</a>")) || isApart(node)) separate();
    if (due) last = null; // the preceding space is enough
    begin(context);
    tag(`<${markup}${attributes}>`);
    inside();
    tag(`</${markup}>`);
    if (length === start) ({ out, open, due } = before); // the block was empty
    else if (isApart(node)) separate();
  };

  const lineBreak = (context) => {
    if (context === PRE) tag("\n");
    else due = context === PHRASE ? " " : "<br>";
  };
  const rule = (context) => {
    boundary(context);
    if (context !== FLOW) return;
    tag("<hr>");
    flush();
  };

  const list = (node, name, context) => {
    const markup = name === "ol" ? "ol" : "ul";
    const items = () => {
      lists++;
      children(node, name, LINES);
      lists--;
    };
    if (context === FLOW) return block(markup, items);
    due = "";
    wrapped(markup, "", items);
  };

  const table = (node) => {
    const rows = rowsOf(node);
    const caption = all(node, ":scope > caption")[0];
    if (caption) {
      endParagraph();
      visit(caption, FLOW);
    }
    block("table", () => {
      for (const cells of rows) {
        if (cut || out.length > room) {
          cut = true;
          return;
        }
        wrapped("tr", "", () => {
          for (const cell of cells) {
            wrapped(isHead(cell) ? "th" : "td", spansOf(cell), () => children(cell, localName(cell), PHRASE));
          }
        });
      }
    });
    tellPart(partOfTable(node, rows.map((cells) => cells.length)));
  };
  // Writes a table in a cell or a list as "a, b; c, d".
  const tableInLine = (node, context) => {
    const mark = (text) => {
      due = "";
      say(text, context);
      separate();
    };
    boundary(context);
    for (const [at, cells] of rowsOf(node).entries()) {
      if (at) mark(";");
      for (const [one, cell] of cells.entries()) {
        if (one) mark(",");
        children(cell, localName(cell), context);
      }
    }
    boundary(context);
  };
  const tellPart = (part) => {
    if (!part) return;
    endParagraph();
    tag(`<p>(${part}: scroll for more)</p>`);
    flush();
  };

  const image = (node, context) => {
    const alt = cutTo(squash(attribute(node, "alt") ?? attribute(node, "aria-label") ?? ""), 300);
    if (!alt) return;
    const url = address(attribute(node, "src"));
    begin(context);
    length += alt.length;
    tag(`<img alt="${quoted(alt)}" src="${quoted(url)}">`);
  };

  const field = (node, name, context) => {
    if (name === "select") {
      const chosen = [...node.selectedOptions].map(shownAs);
      return say(` ${chosen.join(", ")} `, context);
    }
    if (name === "textarea") return say(` ${node.value} `, context);
    if (holdsSecret(node)) return undefined;
    switch (node.type) {
      case "hidden":
      case "file":
        return undefined;
      case "checkbox":
      case "radio":
        return say(node.checked ? " [x] " : " [ ] ", context);
      default:
        return say(` ${node.value} `, context);
    }
  };

  for (const root of roots) {
    visit(root, FLOW);
    endParagraph();
  }
  return { nodes, cut, length };
}

const isInline = (element, name) =>
  INLINE_TAGS.has(name) || name === "button" || name === "slot" ||
  (name.includes("-") && /^(inline|contents)/.test(getComputedStyle(element).display));

// The origin for which links are paths, or "".
let linksFrom = "";

// Returns a URL if a browser can open it; else "".
function address(given) {
  if (given === null) return "";
  try {
    const url = new URL(given, document.baseURI);
    if (!/^(https?|mailto|tel):$/.test(url.protocol) || url.href.length > 2000) return "";
    const address = withoutLogin(url.href);
    return linksFrom && address.startsWith(`${linksFrom}/`) ? address.slice(linksFrom.length) : address;
  } catch {
    return "";
  }
}
