// Elements that listen for clicks. Scripts can't list listeners, so Python passes the elements
// (`click_listeners.py`).

import { idOf } from "./element_ids.js";
import { flatParent } from "./flat_tree.js";
import { checkVisibility, isConnected, isElement } from "./natives.js";
import { RENDERED } from "./visibility.js";
import { duringWalk } from "./walk.js";

const listening = new WeakSet();
let listeners = [];

// The ancestors of drawn elements with listeners, during a walk.
let aroundListeners = new WeakSet();

// Returns whether any of the elements may be new to the outline.
export function listen(elements) {
  let isNews = false;
  for (const element of elements) {
    if (!isElement(element) || element.ownerDocument !== document || listening.has(element)) continue;
    listening.add(element);
    listeners.push(new WeakRef(element));
    isNews ||= !idOf.has(element);
  }
  return isNews;
}

export const listensForClicks = (element) => listening.has(element);
export const isAroundListener = (element) => aroundListeners.has(element);

function findAround() {
  if (!listeners.length) return;
  aroundListeners = new WeakSet();
  let isAnyGone = false;
  for (const reference of listeners) {
    const element = reference.deref();
    if (!element) isAnyGone = true;
    else if (isConnected(element) && checkVisibility(element, RENDERED)) {
      for (let at = flatParent(element); at && !aroundListeners.has(at); at = flatParent(at)) aroundListeners.add(at);
    }
  }
  if (isAnyGone) listeners = listeners.filter((reference) => reference.deref());
}

duringWalk(findAround, () => {});
