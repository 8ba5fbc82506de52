// Roles: the role attribute (WAI-ARIA 1.2), else what the element is natively (HTML-AAM).

const ROLES = new Set(
  (
    "alert alertdialog application article banner blockquote button caption cell checkbox code " +
    "columnheader combobox complementary contentinfo definition deletion dialog directory " +
    "document emphasis feed figure form generic grid gridcell group heading img insertion link " +
    "list listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox " +
    "menuitemradio meter navigation none note option paragraph presentation progressbar radio " +
    "radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider " +
    "spinbutton status strong subscript superscript switch tab table tablist tabpanel term " +
    "textbox time timer toolbar tooltip tree treegrid treeitem mark meter suggestion comment"
  ).split(" "),
);

const INTERACTIVE = new Set(
  (
    "button link textbox searchbox checkbox radio combobox listbox option menuitem " +
    "menuitemcheckbox menuitemradio tab switch slider spinbutton treeitem scrollbar"
  ).split(" "),
);

// These say nothing that their content does not say.
const TRANSPARENT = new Set(
  (
    "generic none presentation paragraph rowgroup emphasis strong code caption deletion insertion " +
    "subscript superscript time mark suggestion document"
  ).split(" "),
);

const INPUT_ROLES = {
  button: "button", submit: "button", reset: "button", image: "button", file: "button",
  color: "button", checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton",
  search: "searchbox",
};

const TAG_ROLES = {
  address: "group", article: "article", blockquote: "blockquote", button: "button",
  caption: "caption", code: "code", dd: "definition", del: "deletion", details: "group",
  dfn: "term", dialog: "dialog", dt: "term", em: "emphasis", fieldset: "group", figure: "figure",
  h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading",
  hr: "separator", html: "document", iframe: "iframe", frame: "iframe", ins: "insertion",
  li: "listitem", main: "main", mark: "mark", math: "math", menu: "list", meter: "meter",
  nav: "navigation", ol: "list", optgroup: "group", option: "option", output: "status",
  p: "paragraph", progress: "progressbar", search: "search", strong: "strong", sub: "subscript",
  summary: "button", sup: "superscript", table: "table", tbody: "rowgroup", textarea: "textbox",
  tfoot: "rowgroup", thead: "rowgroup", time: "time", tr: "row", ul: "list",
  video: "video", audio: "audio", canvas: "canvas", embed: "embed", object: "object",
};

const SECTIONING = "article, aside, main, nav, section, [role=article], [role=complementary], " +
  "[role=main], [role=navigation], [role=region]";

const isEditingHost = (element) => {
  const editable = attribute(element, "contenteditable");
  return editable !== null && editable.toLowerCase() !== "false" && element.isContentEditable;
};

const isFocusable = (element, tag) =>
  hasAttribute(element, "tabindex") ||
  tag === "button" || tag === "select" || tag === "textarea" || tag === "input" ||
  (tag === "a" && hasAttribute(element, "href"));

const hasNameAttribute = (element) =>
  hasAttribute(element, "aria-label") || hasAttribute(element, "aria-labelledby") ||
  hasAttribute(element, "title");

const nativeRole = (element, tag) => {
  switch (tag) {
    case "a":
    case "area":
      return hasAttribute(element, "href") ? "link" : "generic";
    case "input": {
      const type = element.type;
      if (type === "hidden") return "none";
      const role = INPUT_ROLES[type] ?? "textbox";
      return hasAttribute(element, "list") && (role === "textbox" || role === "searchbox")
        ? "combobox"
        : role;
    }
    case "select":
      return element.multiple || element.size > 1 ? "listbox" : "combobox";
    case "img":
      return attribute(element, "alt") === "" && !hasNameAttribute(element) ? "none" : "img";
    case "svg":
      return "img";
    case "summary": {
      const parent = parentNode(element);
      return parent && isElement(parent) && localName(parent) === "details" ? "button" : "generic";
    }
    case "section":
      return hasNameAttribute(element) ? "region" : "generic";
    case "form":
      return hasNameAttribute(element) ? "form" : "generic";
    case "header":
      return closest(element, SECTIONING) ? "generic" : "banner";
    case "footer":
      return closest(element, SECTIONING) ? "generic" : "contentinfo";
    case "aside": {
      const parent = parentNode(element);
      const within = parent && isElement(parent) && closest(parent, "article, aside, nav, section");
      return within && !hasNameAttribute(element) ? "generic" : "complementary";
    }
    case "td":
    case "th":
      return cellRole(element, tag);
    default:
      return TAG_ROLES[tag] ?? "generic";
  }
};

const cellRole = (element, tag) => {
  const table = closest(element, "table");
  const grid = table && /^(tree)?grid$/.test(attribute(table, "role") ?? "");
  if (tag === "td") return grid ? "gridcell" : "cell";
  const scope = (attribute(element, "scope") ?? "").toLowerCase();
  if (scope.startsWith("row")) return "rowheader";
  if (scope.startsWith("col")) return "columnheader";
  const row = parentNode(element);
  const section = row && parentNode(row);
  if (section && isElement(section) && localName(section) === "thead") return "columnheader";
  // Without a scope: a row that has data cells is headed by this one, else it heads columns.
  return row && isElement(row) && all(row, ":scope > td").length ? "rowheader" : "columnheader";
};

const ARIA_ALIASES = { image: "img", directory: "list" };

const roleOf = (element, tag) => {
  if (!hasAttributes(element)) return nativeRole(element, tag);
  const given = attribute(element, "role");
  if (given) {
    for (const token of given.toLowerCase().split(/\s+/)) {
      const role = ARIA_ALIASES[token] ?? token;
      if (!ROLES.has(role)) continue;
      // What can be focused can't be made nothing (ARIA, presentational role conflict).
      if ((role === "none" || role === "presentation") && isFocusable(element, tag)) break;
      return role;
    }
  }
  const native = nativeRole(element, tag);
  return native === "generic" && isEditingHost(element) ? "textbox" : native;
};
