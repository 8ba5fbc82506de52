// Converts the readable content of a document to plain HTML with about twenty tags. The result is a
// string for each outermost block, with the ids of the iframes between them.

import { INLINE_TAGS } from "../accessibility/name_content.js";
import { roleOf } from "../accessibility/roles.js";
import { shownAs, withoutLogin } from "../accessibility/states.js";
import { identify } from "../dom/element_ids.js";
import { flatChildren, flatParent, holdsFrame, isInside, openRoots, showsOwn } from "../dom/flat_tree.js";
import {
  all, attribute, bodyOf, data, isElement, localName, nodeType, rootOf, textContent,
} from "../dom/natives.js";
import { holdsSecret } from "../dom/secret_fields.js";
import { cutTo, squash } from "../dom/text.js";
import { GONE, INVISIBLE, isHiddenFromAll, showing, SHOWN } from "../dom/visibility.js";
import { isSelector } from "../find/wait_for.js";
import { isTiny } from "../geometry/boxes.js";
import { recordsInColumns } from "../outline/columns.js";
import { isApart, standApart } from "./text_gap.js";

const FLOW = 0; // paragraphs
const LINES = 1; // a list item: block content gets a line break
const PHRASE = 2; // one line
const PRE = 3;

const HEADING = /^h[1-6]$/;
const FORMATS = { b: "strong", strong: "strong", i: "em", em: "em", del: "del", s: "del", code: "code", kbd: "code", samp: "code", sub: "sub", sup: "sup" };
const UNREAD = new Set("svg canvas video audio embed progress meter map area".split(" "));
const AROUND = new Set("navigation banner contentinfo complementary search".split(" "));
const BLOCKS = "h1, h2, h3, h4, h5, h6, p, div, table, ul, ol, pre, section, article";
const BEGUN = /<(p|li|td|th|h[1-6]|dt|dd)( [^>]*)?>$/;
const DEEPEST = 600;
const LINKED = 600; // a longer link is not a name
const SEPARATE_ROLES = new Set("button menuitem option tab".split(" "));

// [[html, "html", "", 0] | ["", "iframe", "", id] | [count, "left", "", 0]], and whether it is cut.
export function readable(selector, main, most) {
  if (selector !== null && !isSelector(selector)) return said("wrong");
  const body = bodyOf(document) ?? rootOf(document);
  const roots = selector === null ? [body] : matching(selector);
  if (!roots.length || !roots[0]) return said("nothing");
  const whole = blocksOf(roots, false, most);
  const read = selector === null && main ? mainPart(body, whole, most) : whole;
  const left = whole.length - read.length;
  if (left > whole.length / 50 && left > 40) read.nodes.push([left, "left"]);
  return recordsInColumns(read.nodes, read.cut);
}

// Returns the main part of the page if it is marked and long enough. Else returns the page without
// navigation and the like, unless almost nothing would be left.
function mainPart(body, whole, most) {
  const shown = [...all(document, "main, [role=main]")].filter((m) => showing(m) === SHOWN);
  const [longest] = shown.sort((a, b) => textContent(b).length - textContent(a).length);
  const part = longest ? blocksOf([longest], true, most) : null;
  if (part && part.length * 5 > whole.length) return part;
  const rest = blocksOf([body], true, most);
  return rest.length * 5 > whole.length || rest.length > 500 ? rest : whole;
}

const said = (kind) => recordsInColumns([[0, kind]], false);

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

function blocksOf(roots, without, most) {
  const nodes = [];
  const frames = [];
  let out = "";
  let open = false; // whether a paragraph is open
  let depth = 0; // the nesting depth of blocks that must stay whole
  let due = ""; // the separator before the next text
  let last = null; // the text node before it
  let lists = 0;
  let length = 0;
  let room = most;
  let cut = false;
  let level = 0;

  const escaped = (text) =>
    text.toWellFormed().replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
  const quoted = (text) => escaped(text).replaceAll('"', "&quot;");

  const flush = () => {
    if (depth) return;
    if (out) nodes.push([0, "html", out]);
    room -= out.length;
    out = "";
    while (frames.length) nodes.push([0, "iframe", "", frames.shift()]);
    if (room <= 0) cut = true;
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
  // Opens a paragraph if needed, and writes the separator. Returns whether the next text begins
  // something.
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
  // Writes a block that stays one string: a heading, a list, a table, ...
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
    if (isHiddenFromAll(node, name) || UNREAD.has(name) || showing(node) === GONE) return;
    if (holdsFrame(node, name)) {
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
    level--;
  };

  const element = (node, name, role, context) => {
    if (name === "br") return lineBreak(context);
    if (name === "hr") return rule(context);
    if (name === "img") return image(node, context);
    if (name === "input" || name === "textarea" || name === "select") return field(node, name, context);
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
    } else if (name === "table" && context === FLOW && isDataTable(node, role)) {
      return table(node);
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
    begin(context);
    tag(`<${markup}${attributes}>`);
    inside();
    tag(`</${markup}>`);
    if (length === start) ({ out, open, due } = before); // it was empty
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
    const rows = [...all(node, "tr")];
    const caption = all(node, ":scope > caption")[0];
    if (caption) {
      endParagraph();
      visit(caption, FLOW);
    }
    block("table", () => {
      for (const row of rows) {
        if (cut || out.length > room) {
          cut = true;
          return;
        }
        if (showing(row) === GONE) continue;
        wrapped("tr", "", () => {
          for (const cell of flatChildren(row, "tr")) {
            if (!isElement(cell) || !/^t[dh]$/.test(localName(cell)) || showing(cell) === GONE) continue;
            const span = Math.min(50, Number(cell.colSpan) || 1);
            const wide = span > 1 ? ` colspan="${span}"` : "";
            wrapped(localName(cell), wide, () => children(cell, localName(cell), PHRASE));
          }
        });
      }
    });
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

// A layout table contains other tables, has a role that says so, or has a single column.
const isDataTable = (element, role) =>
  role !== "none" && role !== "presentation" && !all(element, "table").length &&
  [...all(element, "tr")].some((row) => all(row, ":scope > td, :scope > th").length > 1);

const isInline = (element, name) =>
  INLINE_TAGS.has(name) || name === "button" || name === "slot" ||
  (name.includes("-") && /^(inline|contents)/.test(getComputedStyle(element).display));

// Returns an absolute URL if a browser can open it; else "".
function address(given) {
  if (given === null) return "";
  try {
    const url = new URL(given, document.baseURI);
    return /^(https?|mailto|tel):$/.test(url.protocol) && url.href.length <= 2000 ? withoutLogin(url.href) : "";
  } catch {
    return "";
  }
}
