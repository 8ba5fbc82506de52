// Determines whether a document, or a part of it, shows that it is busy: a spinner, ``aria-busy``,
// "Loading".

import { all, animationsIn, animationsOf, attribute } from "../dom/natives.js";
import { isShown } from "../geometry/boxes.js";

const WORKING = '[aria-busy="true"], [role="progressbar"]:not([aria-valuenow]), progress:not([value]), ' +
  'img[alt^="loading" i], img[alt^="running" i]';
const WORKS = /spin|load|progress|skeleton|shimmer|pulse|busy/i;
const LOADING = /^\s*(loading|please wait|connecting|starting|saving)\b/i;
const LONGEST = 100;

export function isWorking(root) {
  if ([...all(root, WORKING)].some(isShown)) return true;
  const animations = root === document ? animationsIn(document) : animationsOf(root, { subtree: true });
  return animations.some(({ playState, effect, animationName = "" }) =>
    playState === "running" && effect?.target && effect.getComputedTiming().endTime === Infinity &&
    WORKS.test(`${animationName} ${attribute(effect.target, "class") ?? ""}`) && isShown(effect.target));
}

export const saysLoading = (text) => text.length < LONGEST && LOADING.test(text);

// Whether an animation or a transition is running and will end.
export const ends = ({ playState, effect }) =>
  playState === "running" && effect !== null && effect.getComputedTiming().endTime !== Infinity;
