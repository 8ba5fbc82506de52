// The author's word for an element that has neither a name nor text: an attribute of the element or
// of its icon.

import { all, attribute, attributeNames, boundingRect, firstChild, hasAttribute, localName } from "../dom/natives.js";
import { hexOf } from "./svg_shapes.js";

const MAX_PARTS = 8;
const HEX_COLOR = /^#[0-9a-f]{3,8}$/i;
const MAX_WORDS = 40;

// Attributes that describe an element's purpose, the most specific first.
const DATA = "tooltip title label icon action command name dismiss testid test cy qa value color type key".split(" ");
const ICON = /^(?:fa[bsrldt]?|bi|mdi|glyphicon|icon|ion|ion-md|pi|ri|ti|tio|ph|oi|la|bx[sl]?|uil|octicon|lucide|feather|ui-icon|codicon|dashicons|anticon|el-icon|k-i|fi|cil|tabler-icon)-+(?!(?:\d|fw|lg|xs|sm|spin|solid|regular|light|brands|icon|button|btn|size)\b)[a-z]/i;
const COMMON = new Set(
  (
    "btn button icon icons img image svg ui fa fas far fab fal fad bi mdi glyphicon anticon pi ri ti item link " +
    "wrapper wrap inner outer root container row col column active disabled selected clickable pointer small " +
    "medium large mini tiny primary secondary default basic circular compact fluid notranslate material-icons"
  ).split(" "),
);
// Classes from frameworks, utility classes for a single property, and generated classes.
const FRAMEWORK = /^(?:Mui|css-|jss|sc-|svelte-|ng-|v-|ant-|el-|q-|mat-|mdc-|chakra-|p-(?:button|component)|ui-(?:button|corner|state|widget)|svg-inline|hover|focus)/;
const PROPERTY = /^-?(?:[mp][xytblrse]?|[whdzg]|min|max|gap|col|row|order|offset|size|space|inset|top|left|right|bottom|opacity|rounded|shadow|border|ring|outline|text|bg|font|flex|grid|justify|items|content|self|align|float|overflow|cursor|transition|position|object|inline|btn|fs|fw|badge|btn-outline)-(?:\d.*|auto|none|full|screen|start|end|center|left|right|between|around|top|bottom|middle|wrap|nowrap|row|column|xs|sm|md|lg|xl|hidden|visible|scroll|pointer|default|block|primary|secondary|success|danger|warning|info|light|dark|muted|link|white|black|transparent|current|bold|normal|medium|semibold|all|colors|icon|[a-z]+-\d{1,3})$/;

// Returns [attribute, words], or null if no attribute describes the element.
export function authorWords(element, isField) {
  const parts = [element, ...[...all(element, "*")].slice(0, MAX_PARTS)];
  const words = fromData(parts) ?? fromPictures(parts) ?? fromPlace(element) ?? fromClasses(parts);
  return words ?? fromOwn(element, "name") ?? fromOwn(element, "id") ?? (isField ? null : fromColor(element));
}

function fromData(parts) {
  let best = null;
  let rank = DATA.length;
  for (const part of parts) {
    for (const name of attributeNames(part)) {
      const at = name.startsWith("data-") ? DATA.indexOf(name.slice(name.lastIndexOf("-") + 1)) : -1;
      if (at < 0 || at >= rank) continue;
      const value = attribute(part, name).trim();
      if (isWords(value) || HEX_COLOR.test(value)) [best, rank] = [[name, value], at];
    }
  }
  return best;
}

function fromPictures(parts) {
  for (const part of parts) {
    const drawn = attribute(part, "href") ?? attribute(part, "xlink:href") ?? "";
    if (localName(part) === "use" && isWords(drawn.split("#")[1] ?? "")) return ["href", `#${drawn.split("#")[1]}`];
    const file = fileOf(localName(part) === "img" ? attribute(part, "src") ?? "" : "");
    if (file) return ["src", file];
  }
  const [, url] = /^url\("(.*?)"\)/.exec(getComputedStyle(parts[0]).backgroundImage) ?? [];
  const file = url && fileOf(url);
  return file ? ["background", file] : null;
}

function fileOf(url) {
  if (url.startsWith("data:")) return "";
  const file = url.split(/[?#]/)[0].split("/").at(-1);
  return isWords(file.replace(/\.\w+$/, "")) ? file : "";
}

function fromClasses(parts) {
  const classes = new Set(parts.flatMap((part) => (attribute(part, "class") ?? "").split(/\s+/)));
  const telling = [...classes].map(withoutHash).filter(isTellingClass);
  const icon = telling.find((one) => ICON.test(one));
  if (icon) return ["class", icon];
  let words = "";
  for (const one of telling.slice(0, 3)) if (words.length + one.length < MAX_WORDS) words += ` ${one}`;
  return words ? ["class", words.trim()] : null;
}

// Returns the class of an icon that is drawn without text, such as `fa-check`; "" for other
// elements.
const ICON_TAGS = new Set(["i", "span", "em", "b"]);
const MIN_ICON = 6;
export function iconWord(element, tag) {
  if (!ICON_TAGS.has(tag) || firstChild(element) || !hasAttribute(element, "class")) return "";
  const icon = attribute(element, "class").split(/\s+/).find((one) => ICON.test(one) && isTellingClass(one));
  const { width, height } = boundingRect(element);
  return icon && Math.min(width, height) >= MIN_ICON ? icon : "";
}

// CSS modules add a hash to the author's name: `Toolbar_delete__x7Yz1`.
const withoutHash = (one) => one.replace(/(?<=[a-z])_{1,2}[A-Za-z0-9+-]{5,8}$/, (hash) => (/\d|[A-Z].*[A-Z]/.test(hash) ? "" : hash));

const isTellingClass = (one) =>
  isWords(one) && !COMMON.has(one.toLowerCase()) && !PROPERTY.test(one) && (!FRAMEWORK.test(one) || ICON.test(one));

// Cells of a board and points of a grid are often numbered: `3-4`, `(-1,2)`.
function fromPlace(element) {
  const id = attribute(element, "id") ?? "";
  return id.length <= MAX_WORDS && /^\W?-?\d{1,4}[^\w\s]{1,2}\d{1,4}\W?$/.test(id) ? ["id", id] : null;
}

function fromOwn(element, name) {
  const value = attribute(element, name)?.trim() ?? "";
  return isWords(value) ? [name, value] : null;
}

// A color swatch or a square on a board has only a color.
function fromColor(element) {
  const color = hexOf(getComputedStyle(element).backgroundColor);
  return color ? ["color", color] : null;
}

// Whether a person wrote the value: it has a word of at least three letters, and no hash.
function isWords(value) {
  if (value.length < 2 || value.length > MAX_WORDS || !/^[\p{L}_][\p{L}\p{N} _.-]*$/u.test(value)) return false;
  if (/\d{3}|\d[a-z]+\d|[a-z]\d+[a-z]/i.test(value)) return false;
  const words = value.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u);
  const inner = value.length < 8 && !/[ _.-]/.test(value) ? value.slice(1).match(/\p{Lu}/gu)?.length ?? 0 : 0;
  return inner < 2 && words.some((word) => word.length > 2 || /^(?:up|go|no|ok)$/i.test(word));
}
