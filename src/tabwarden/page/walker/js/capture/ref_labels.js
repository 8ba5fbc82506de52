// Draws refs over the page for a screenshot: in the top layer, out of the page's reach.

import { identified } from "../dom/element_ids.js";
import { rootOf } from "../dom/natives.js";
import { boxesOf } from "../geometry/boxes.js";

let drawing = null;

export function annotate(labels) {
  unannotate();
  drawing = document.createElement("div");
  drawing.setAttribute("popover", "manual");
  drawing.style.cssText =
    "position:absolute;inset:0 auto auto 0;margin:0;padding:0;border:0;overflow:visible;" +
    "width:0;height:0;background:none;pointer-events:none";
  const root = drawing.attachShadow({ mode: "closed" });
  for (const [id, label] of Object.entries(labels)) {
    const element = identified(Number(id));
    const box = element && boxesOf(element)[0];
    if (box) root.append(tag(box, label));
  }
  rootOf(document).append(drawing);
  drawing.showPopover();
}

function tag(box, label) {
  const frame = document.createElement("div");
  frame.style.cssText =
    `position:absolute;left:${box.x + scrollX}px;top:${box.y + scrollY}px;` +
    `width:${box.width}px;height:${box.height}px;outline:2px solid #d6006c;outline-offset:-1px`;
  const text = document.createElement("span");
  text.textContent = label;
  text.style.cssText =
    "position:absolute;left:0;top:0;font:bold 11px/13px sans-serif;padding:0 3px;" +
    "background:#d6006c;color:#fff;white-space:nowrap";
  frame.append(text);
  return frame;
}

export function unannotate() {
  drawing?.remove();
  drawing = null;
}
