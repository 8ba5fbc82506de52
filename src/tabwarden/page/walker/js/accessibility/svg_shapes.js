// How a shape in an SVG looks. The tag, color and size distinguish shapes without a name.

import { hasNameAttribute } from "./names_and_roles.js";
import { all, boundingRect, firstOf, isDrawing } from "../dom/natives.js";
import { hasArea } from "../geometry/boxes.js";

const SHAPES = new Set("circle ellipse rect polygon polyline line path text".split(" "));
// In a small drawing, each shape has its own line. An icon or a chart is a single image.
const MAX_SHAPES = 40;
const MIN_SIDE_OF_DRAWING = 32;
const NO_SHAPES = "title, path, image, use, foreignObject, pattern, linearGradient, radialGradient";

export const isShape = (element, tag) => SHAPES.has(tag) && isDrawing(element);

export function isSmallDrawing(svg) {
  if (hasNameAttribute(svg) || firstOf(svg, NO_SHAPES) || all(svg, "*").length > MAX_SHAPES) return false;
  const { width, height } = boundingRect(svg);
  return Math.min(width, height) >= MIN_SIDE_OF_DRAWING;
}

// Returns words such as "circle red 16x16", or "" if nothing is drawn.
export function shapeWords(element, tag) {
  const box = boundingRect(element);
  const { fill, stroke, opacity } = getComputedStyle(element);
  const color = colorWord(fill) || (colorWord(stroke) && `outline ${colorWord(stroke)}`);
  if (!color || !(hasArea(box) || tag === "line") || opacity === "0") return "";
  return `${tag} ${color} ${Math.round(box.width)}x${Math.round(box.height)}`;
}

const COLOR_NAMES = {
  "#000000": "black", "#ffffff": "white", "#808080": "gray", "#ff0000": "red", "#008000": "green",
  "#0000ff": "blue", "#ffff00": "yellow", "#00ffff": "aqua", "#ff00ff": "magenta", "#00ff00": "lime",
  "#ffa500": "orange", "#800080": "purple", "#ffc0cb": "pink", "#a52a2a": "brown",
};

export function hexOf(color) {
  const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g)?.map(Number) ?? [];
  if (!color.startsWith("rgb") || alpha === 0) return "";
  return `#${[red, green, blue].map((one) => Math.round(one).toString(16).padStart(2, "0")).join("")}`;
}

const colorWord = (color) => COLOR_NAMES[hexOf(color)] ?? hexOf(color);
