// Draws a box around an element for a person who is watching. The box is in the top layer, and the
// mouse ignores it. The page draws it, because a headless shell lacks the browser's own overlay.

import { rootOf } from "../dom/natives.js";
import { boxesOf } from "../geometry/boxes.js";
import { drawnWithId } from "../geometry/drawn_checks.js";

let highlighting = null;

export function highlight(id) {
  unhighlight();
  const element = drawnWithId(id);
  if (!element) return false;
  highlighting = document.createElement("div");
  highlighting.setAttribute("popover", "manual");
  highlighting.setAttribute("aria-hidden", "true"); // hidden from snapshots
  highlighting.style.cssText =
    "position:absolute;inset:0 auto auto 0;margin:0;padding:0;border:0;overflow:visible;" +
    "width:0;height:0;background:none;pointer-events:none";
  const root = highlighting.attachShadow({ mode: "closed" });
  for (const { x, y, width, height } of boxesOf(element).slice(0, 20)) {
    const frame = document.createElement("div");
    frame.style.cssText =
      `position:absolute;left:${x + scrollX}px;top:${y + scrollY}px;width:${width}px;` +
      `height:${height}px;background:rgb(214 0 108 / 25%);outline:3px solid rgb(214 0 108)`;
    root.append(frame);
  }
  rootOf(document).append(highlighting);
  highlighting.showPopover();
  return true;
}

export function unhighlight() {
  highlighting?.remove();
  highlighting = null;
}
