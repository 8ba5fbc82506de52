// Tells what a document is doing: when it last changed, whether it shows that it works, and how much
// it shows. Python decides from that whether to wait (page/call/stillness.py).

import { openRoots } from "../dom/flat_tree.js";
import { all, allElements, animationsIn, bodyOf } from "../dom/natives.js";
import { isShown } from "../geometry/boxes.js";
import { changesSinceInput } from "../input/effect.js";
import { ends, isWorking, saysLoading } from "./working.js";

const TO_SEE = "input:not([type=hidden]), button, select, textarea, a[href], canvas, video, iframe, object, embed, img";
const DRAWN_COUNT = 400; // an application that is not drawn yet has fewer elements
const MOST_SAID = 200;
const MOST_SEEN = 5;
const UNASKED_MS = 2000;

let lastChange = 0;
let askedAt = 0;
let isWatching = false;
const activityObserver = new MutationObserver(() => {
  lastChange = performance.now();
  if (lastChange < askedAt + UNASKED_MS) return;
  activityObserver.disconnect();
  isWatching = false;
});

export function activity() {
  const now = performance.now();
  askedAt = now;
  if (!isWatching) {
    activityObserver.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    isWatching = true;
    lastChange = now;
  }
  if (activityObserver.takeRecords().length) lastChange = now;
  const input = changesSinceInput();
  const shown = howMuch();
  return {
    restedMs: Math.round(now - Math.max(lastChange, input.last)), changed: input.count > 0, scripts: scriptsIn(),
    busy: shown.isLoading || document.readyState === "loading" || isWorking(document) || animationsIn(document).some(ends), text: shown.text, controls: shown.controls,
  };
}

// 0 without scripts, 1 if all are inline, 2 if some are files.
function scriptsIn() {
  if (!all(document, "script").length) return 0;
  return all(document, "script[src], link[rel=modulepreload]").length ? 2 : 1;
}

function howMuch() {
  const body = bodyOf(document);
  if (!body || allElements(document, "*").length > DRAWN_COUNT) {
    return { text: body ? MOST_SAID : 0, controls: body ? MOST_SEEN : 0, isLoading: false };
  }
  let said = body.innerText ?? "";
  let controls = 0;
  for (const root of openRoots()) {
    if (root !== document) for (const child of root.children) said += child.innerText ?? "";
    for (const one of all(root, TO_SEE)) if (controls < MOST_SEEN && isShown(one)) controls += 1;
  }
  const text = Math.min(said.trim().length, MOST_SAID);
  return { text, controls, isLoading: saysLoading(said) };
}
