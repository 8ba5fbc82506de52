// The kind of a document that needs a description: "image 40x20", "image broken", "stream", "audio",
// "video", "pdf", "long text", "scriptless" if scripts are off, as in a sandbox, "pointer lock" or
// "full screen".

import { contentTypeOf, data, firstChild, firstOf, isText, rootOf } from "../dom/natives.js";
import { screenNow } from "./screen.js";

const TYPES = {
  image: /^image\/(?!svg\+xml)/, stream: /^multipart\//, audio: /^audio\//, video: /^video\//, pdf: /^application\/pdf$/,
  text: /^(text\/(?!html|xml)|application\/(?!xhtml\+xml|xml))/,
};
const LONG_TEXT = 2000; // a snapshot shows about that much of a text

export function kindNow() {
  const type = contentTypeOf(document);
  if (type === "text/html") return matchMedia("(scripting: none)").matches ? "scriptless" : screenNow();
  const kind = Object.keys(TYPES).find((one) => TYPES[one].test(type)) ?? "";
  if (kind === "text") return hasLongText() ? "long text" : "";
  if (kind !== "image" && kind !== "stream") return kind;
  const image = firstOf(rootOf(document), "img");
  if (image?.naturalWidth) return `image ${image.naturalWidth}x${image.naturalHeight}`;
  return kind === "image" && image?.complete ? "image broken" : kind;
}

function hasLongText() {
  const pre = firstOf(rootOf(document), "pre");
  const text = pre && firstChild(pre);
  return Boolean(text) && isText(text) && data(text).length > LONG_TEXT;
}
