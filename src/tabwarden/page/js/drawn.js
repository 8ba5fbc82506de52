// Text that style sheets draw before and after an element's content.

// Asking an element for it takes as long as all the rest of its name. So a walk learns from the
// style sheets of each tree which elements may have any; outside of a walk each is asked.
let drawersIn = null; // by document or shadow root: a set of elements, or null where it isn't known

const MAX_DRAWING = 200;
const PSEUDO = /:(before|after)/;
const NO_WORDS = /^(none|normal|(["'\s/]|[\ue000-\uf8ff])*)$/;

const mayHaveDrawn = (element) => {
  // Its shadow tree's style sheets may say it too.
  if (drawersIn === null || shadowRoot(element)) return true;
  const root = rootAround(element);
  let drawers = drawersIn.get(root);
  if (drawers === undefined) drawersIn.set(root, (drawers = drawersOf(root)));
  return drawers === null || (drawers.size > 0 && drawers.has(element));
};

const drawersOf = (root) => {
  const selectors = [];
  try {
    for (const sheet of root.styleSheets) collectDrawing(sheet, selectors);
    for (const sheet of root.adoptedStyleSheets) collectDrawing(sheet, selectors);
    // As they stand inside @scope, or inside another rule, they can't be asked.
    if (selectors.length > MAX_DRAWING || /&|:scope|:host|::slotted|::part/.test(selectors)) return null;
    return new Set(selectors.length ? all(root, selectors.join()) : []);
  } catch {
    return null; // another site's style sheet, or a selector that means nothing by itself
  }
};

const collectDrawing = (sheet, selectors) => {
  for (const rule of sheet.cssRules) {
    const selector = rule.selectorText;
    if (selector !== undefined && PSEUDO.test(selector) && !NO_WORDS.test(rule.style.content)) {
      selectors.push(selector.replace(/(^|[\s>+~,(])::?(before|after)/g, "$1*").replace(/::?(before|after)/g, ""));
    }
    if (rule.cssRules?.length) collectDrawing(rule, selectors);
    else if (rule.styleSheet) collectDrawing(rule.styleSheet, selectors);
  }
};

const DRAWN = /\/|"((?:[^"\\]|\\.)*)"|[\w-]+\((?:"(?:[^"\\]|\\.)*"|[^")])*\)/gs;
const ESCAPED = /\\(?:([0-9a-f]{1,6})\s?|(.))/gis;

const drawnBy = (element, pseudo) => {
  const style = getComputedStyle(element, pseudo);
  const content = style.content;
  if (content === "none" || content === "normal" || content === '""') return "";
  if (style.display === "none" || style.visibility !== "visible") return "";
  let text = "";
  for (const [piece, words] of content.matchAll(DRAWN)) {
    // What comes after a slash is said in the place of what stands before it.
    if (piece === "/") text = "";
    else if (words !== undefined) text += unescaped(words);
  }
  // Icon fonts draw from the private use area: no words.
  text = text.replace(/[\ue000-\uf8ff]/g, "");
  return style.display.startsWith("inline") && style.display !== "inline-block" ? text : ` ${text} `;
};

const unescaped = (words) =>
  words.replace(ESCAPED, (_, hex, other) => {
    const code = parseInt(hex, 16);
    return hex ? (code > 0 && code < 0x110000 ? String.fromCodePoint(code) : "\ufffd") : other;
  });
