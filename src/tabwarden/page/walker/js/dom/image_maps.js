// The areas of image maps.

import { all, attribute, closest, localName } from "./natives.js";

// An area of an image map has no box. It is drawn where its image is drawn.
export const isArea = (element) => localName(element) === "area";

export function imageOf(area) {
  const map = closest(area, "map");
  const name = map && attribute(map, "name");
  return name ? [...all(document, "img[usemap]")].find((one) => attribute(one, "usemap") === `#${name}`) : null;
}
