// Determines whether an element is moving, and when the browser has drawn.

import { flatParent } from "../dom/flat_tree.js";
import { animationsOf, isElement } from "../dom/natives.js";

// The animated properties that move a box. Only animations that end count.
const MOVES = new Set(
  (
    "transform translate rotate scale left right top bottom inset width height margin padding " +
    "offsetDistance zoom flexBasis"
  ).split(" "),
);
const movesBoxes = (key) => MOVES.has(key) || /^(margin|padding|inset|min|max|block|inline)/.test(key);

export function isMoving(element) {
  for (let at = element; at && isElement(at); at = flatParent(at)) {
    for (const animation of animationsOf(at)) {
      if (animation.playState !== "running") continue;
      const effect = animation.effect;
      if (!effect || effect.getComputedTiming().endTime === Infinity) continue;
      if (effect.getKeyframes().some((frame) => Object.keys(frame).some(movesBoxes))) return true;
    }
  }
  return false;
}

// A page in the background draws nothing, so the wait is limited.
export const nextFrame = () =>
  new Promise((done) => {
    setTimeout(done, 100);
    requestAnimationFrame(done);
  });

// Waits after a scroll, because the browser routes input by the last drawn image.
export async function drawn() {
  await nextFrame();
  await nextFrame();
}
