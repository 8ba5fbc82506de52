// The functions that Python calls in each frame's isolated world: the exports of this file.

import { carouselParts } from "./accessibility/carousels.js";
import { showWhole } from "./accessibility/states.js";
import { suspects, suspectAll } from "./dom/closed_root_suspects.js";
import { identified, lastId } from "./dom/element_ids.js";
import { sinceNow } from "./dom/mutations.js";
import { walk } from "./dom/walk.js";
import { findElements } from "./find/find.js";
import { inColumns } from "./outline/columns.js";
import { outlineIn, outlineOf } from "./outline/outline.js";

export { carouselParts, learnCarousels, selectMarkers } from "./accessibility/carousels.js";
export { highlight, unhighlight } from "./capture/highlight.js";
export { readable } from "./capture/readable.js";
export { annotate, unannotate } from "./capture/ref_labels.js";
export { shownPart } from "./capture/shown_part.js";
export { activity, activityAfter } from "./input/activity.js";
export { kindNow } from "./document/kind.js";
export { judged, zones } from "./document/locales.js";
export { leaveScreen } from "./document/screen.js";
export { stored } from "./document/storage.js";
export { clearTimers } from "./document/timers.js";
export { listen } from "./dom/click_listeners.js";
export { opened } from "./dom/shadow_roots.js";
export { mask, secretsTyped, unmask } from "./dom/secret_fields.js";
export { coverTexts, drawnTexts } from "./capture/cover_texts.js";
export { insertSecret, origin } from "./input/insert_secret.js";
export { described } from "./find/find.js";
export { heal } from "./find/heal.js";
export { locators } from "./find/locators.js";
export { nearest } from "./find/nearest.js";
export { awaited, elementAwaited, isSelector, present } from "./find/wait_for.js";
export { frameBox } from "./geometry/frames.js";
export { boxes, boxesInView } from "./geometry/in_view.js";
export { under } from "./hits/hit_test.js";
export { drawn } from "./geometry/motion.js";
export { revealedBox, scrollPage } from "./geometry/scrolling.js";
export { seenAt, viewport } from "./geometry/viewport.js";
export { focusNow, secretNow } from "./document/active_element.js";
export { aim, aimDrawn, aimLater, aimThrough, aimThroughLater, rests } from "./input/aim.js";
export { inputCame, inputExpected, openSpot } from "./input/arrival.js";
export { dragExpected, dragSeen, dragTaken, pastMiddle } from "./input/drag.js";
export { fieldInUse, focus, focusLater, leave, pick, read, readLater } from "./input/fields.js";
export { effectBegins, effectSeen, lastChangeAgo } from "./input/effect.js";
export { checkedAs, control } from "./input/form_controls.js";
export { mouseCame, mouseExpected } from "./input/mouse_arrival.js";
export { pressBegun, pressDone, pressExpected, pressSeen } from "./input/press_guard.js";
export { slideNear, slider } from "./input/slider.js";
export { focusLost, giveFocus } from "./input/take_focus.js";
export { facts } from "./inspect/facts.js";
export { wheeled, wheelExpected } from "./input/wheel.js";
export { choose, picker, suggestion } from "./select/pickers.js";
export { chosen, toClick } from "./select/widget.js";
export { identified as element } from "./dom/element_ids.js";

// `view`: whether to find the records in the viewport; "exact" measures each of them.
// `whole`: the id of an element whose value is never shortened.
export function snapshot(view, whole = 0) {
  const outline = outlined(whole, () => outlineOf(view));
  sinceNow(lastId);
  return inColumns(outline, suspects.length, carouselParts().length);
}

export function snapshotIn(id, view) {
  return inColumns(outlined(id, () => outlineIn(id, view)), suspects.length, carouselParts().length);
}

function outlined(whole, outline) {
  showWhole(identified(whole));
  try {
    return walk(outline);
  } finally {
    showWhole(null);
  }
}

export function suspected() {
  return suspects;
}

export function find(query, most) {
  return { ...findElements(query, most), suspects: suspectAll(), carousels: carouselParts().length };
}
