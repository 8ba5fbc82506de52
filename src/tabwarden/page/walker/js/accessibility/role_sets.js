// The roles, the roles of HTML tags, and sets of roles that share a trait.

export const ROLES = new Set(
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

export const DIALOGS = new Set(["dialog", "alertdialog"]);

export const INTERACTIVE = new Set(
  (
    "button link textbox searchbox checkbox radio combobox listbox option menuitem " +
    "menuitemcheckbox menuitemradio tab switch slider spinbutton treeitem scrollbar"
  ).split(" "),
);

// Roles that add nothing to their content.
export const TRANSPARENT = new Set(
  (
    "generic none presentation paragraph rowgroup emphasis strong code caption deletion insertion " +
    "subscript superscript time mark suggestion document"
  ).split(" "),
);

export const INPUT_ROLES = {
  button: "button", submit: "button", reset: "button", image: "button", file: "button",
  color: "button", checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton",
  search: "searchbox",
};

export const TAG_ROLES = {
  address: "group", hgroup: "group", s: "deletion", article: "article", blockquote: "blockquote", button: "button",
  caption: "caption", code: "code", dd: "definition", del: "deletion",
  dfn: "term", dialog: "dialog", dt: "term", em: "emphasis", fieldset: "group", figure: "figure",
  h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading",
  hr: "separator", html: "document", iframe: "iframe", frame: "iframe", ins: "insertion",
  main: "main", mark: "mark", math: "math", menu: "list", meter: "meter",
  nav: "navigation", ol: "list", optgroup: "group", option: "option", output: "status",
  p: "paragraph", progress: "progressbar", search: "search", strong: "strong", sub: "subscript",
  summary: "button", sup: "superscript", table: "table", tbody: "rowgroup", textarea: "textbox",
  tfoot: "rowgroup", thead: "rowgroup", time: "time", tr: "row", ul: "list",
  video: "video", audio: "audio", canvas: "canvas", embed: "embed",
};

// Synonyms, and the roles for books (DPUB-ARIA) and graphics that an agent can use.
export const ARIA_ALIASES = {
  image: "img", directory: "list", presentation: "none",
  "doc-backlink": "link", "doc-biblioref": "link", "doc-glossref": "link", "doc-noteref": "link",
  "doc-cover": "img", "graphics-symbol": "img", "graphics-object": "group",
};

// The parts of a page that a caller may read one by one: ARIA's landmarks, dialogs and tables.
export const LANDMARKS = new Set(
  (
    "banner main navigation search complementary contentinfo form region dialog alertdialog table " +
    "grid treegrid"
  ).split(" "),
);

// Roles that mean nothing without a name (ARIA 1.2).
export const NEEDS_NAME = new Set(["region", "form"]);
