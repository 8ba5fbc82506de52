// Reports a document's activity: when it last changed, whether it shows that it is busy, and how
// much it shows. Python then decides whether to wait (page/call/stillness.py).

import { ends, isWorking, saysLoading } from "../document/working.js";
import { all, allElements, animationsIn, bodyOf, localName } from "../dom/natives.js";
import { openRoots } from "../dom/shadow_roots.js";
import { isShown } from "../geometry/boxes.js";
import { changesSinceInput, nextChange } from "../input/effect.js";

const TO_SEE = "input:not([type=hidden]), button, select, textarea, a[href], canvas, video, iframe, object, embed, img";
const namedFor = (words, names) => words.flatMap((word) => names.map((name) => `[${name}*=${word} i]`)).join();
const SKELETONS = namedFor(["skeleton", "shimmer"], ["class", "data-testid"]);
const LOADERS = namedFor(["loading", "loader", "splash"], ["class", "id"]);
const FEW_SKELETONS = 3;
const LITTLE = 1;
const LITTLE_TEXT = 60;
const DRAWN_COUNT = 2500; // an application that is not drawn yet has fewer elements
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

// Of a document that has changed in the last `quietMs` milliseconds, only that is told.
export function activity(quietMs = 0) {
  const now = performance.now();
  askedAt = now;
  const input = changesSinceInput();
  if (!isWatching) {
    activityObserver.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    isWatching = true;
    lastChange = input.isObserved ? input.last : now;
  }
  if (activityObserver.takeRecords().length) lastChange = now;
  const restedMs = Math.round(now - Math.max(lastChange, input.last));
  const changed = input.count > 0;
  if (restedMs < quietMs) return { restedMs, changed };
  const shown = howMuch();
  return {
    restedMs, changed, scripts: scriptsIn(),
    busy: shown.isLoading || document.readyState === "loading" || isWorking(document) || animationsIn(document).some(ends) || awaitsInterest(input.ageMs), text: shown.text, controls: shown.controls, isBare: shown.isBare ?? false,
  };
}

// The activity at the next change since `activity` was called, or after `waitMs`.
export async function activityAfter(quietMs, waitMs) {
  if (changesSinceInput().last <= askedAt) await nextChange(waitMs);
  return activity(quietMs);
}

// Whether the mouse is on an element that will show a popover (interestfor). By default, that takes
// half a second.
const INTEREST_MS = 1000;
const AWAITS_INTEREST = CSS.supports("selector(:interest-source)") ? "[interestfor]:hover:not(:interest-source)" : "";
const awaitsInterest = (ageMs) =>
  AWAITS_INTEREST !== "" && ageMs < INTEREST_MS && all(document, AWAITS_INTEREST).length > 0;

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
  let bodyText = body.innerText ?? "";
  const isLong = bodyText.trim().length > MOST_SAID;
  if (isPlaceholder(body) || !isLong && bodyText.split("\n").some(saysLoading)) {
    return { text: LITTLE, controls: 0, isLoading: true };
  }
  if (isLong) return { text: MOST_SAID, controls: MOST_SEEN, isLoading: false };
  let controls = 0;
  let pictures = 0;
  for (const root of openRoots()) {
    if (root !== document) for (const child of root.children) bodyText += child.innerText ?? "";
    for (const one of all(root, TO_SEE)) {
      if (controls >= MOST_SEEN || !isShown(one)) continue;
      controls += 1;
      if (localName(one) === "img") pictures += 1;
    }
  }
  const text = Math.min(bodyText.trim().length, MOST_SAID);
  const isLittle = text < LITTLE_TEXT;
  const isLoading = isLittle && [...all(body, LOADERS)].some(isShown);
  return { text, controls, isLoading, isBare: isLittle && controls === pictures };
}

// Whether an application has drawn its frame but not its content: its main part is empty, or there
// are placeholders (skeletons).
function isPlaceholder(body) {
  const [main] = all(body, "main, [role=main]");
  if (main && !main.innerText.trim() && ![...all(main, `${TO_SEE}, svg`)].some(isShown)) return true;
  return [...all(body, SKELETONS)].filter(isShown).length >= FEW_SKELETONS;
}
