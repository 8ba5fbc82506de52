// The kind of a document that is not an HTML page: "image 40x20", "image broken", "audio", "video"
// or "pdf".

import { contentTypeOf, firstOf, rootOf } from "../dom/natives.js";

const TYPES = { image: /^(image\/(?!svg\+xml)|multipart\/)/, audio: /^audio\//, video: /^video\//, pdf: /^application\/pdf$/ };

export function kindNow() {
  const type = contentTypeOf(document);
  const kind = Object.keys(TYPES).find((one) => TYPES[one].test(type)) ?? "";
  if (kind !== "image") return kind;
  const image = firstOf(rootOf(document), "img");
  if (image?.naturalWidth) return `image ${image.naturalWidth}x${image.naturalHeight}`;
  return image?.complete ? "image broken" : kind;
}
