// Text that the style sheet draws before and after an element's content.

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
