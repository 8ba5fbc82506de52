// Describes an obstacle, so that Python can decide how long to wait (page/elements/obstacles.py).

import { DIALOGS } from "../accessibility/role_sets.js";
import { ends, isWorking, saysLoading } from "../document/working.js";
import { identified } from "../dom/element_ids.js";
import { flatParent, isInside } from "../dom/flat_tree.js";
import { knowsShown, shownAt, wasShown } from "../dom/last_shown.js";
import { animationsOf, attribute, isElement } from "../dom/natives.js";
import { changedAt } from "./effect.js";

const STAYS = new Set([...DIALOGS, "menu", "listbox"]);

export function withObstacle(found, target) {
  if (found.ok || found.reason === "gone") return found;
  const obstacle = found.by ? identified(found.by.id) : target;
  const around = [];
  for (let at = obstacle; at && isElement(at) && (at === target || !isInside(target, at)); at = flatParent(at)) {
    around.push(at);
  }
  return { ...found, obstacle: {
    busy: around.some((one) => attribute(one, "aria-busy") === "true") || isWorking(obstacle) ||
      saysLoading((obstacle.innerText ?? "").slice(0, 200)),
    fades: found.reason === "obscured" && around.some((one) => animationsOf(one).some(ends)),
    covers: obstacle !== target, isOpened: STAYS.has(found.by?.role),
    ageMs: Math.round(ageOf(around)), documentMs: Math.round(performance.now()),
  } };
}

// The maximum age of the obstacle. It can't be older than the document or a snapshot that did not
// show it.
function ageOf(around) {
  const now = performance.now();
  const since = Math.max(...around.map(changedAt), knowsShown() && !wasShown(around[0]) ? shownAt : 0);
  return now - since;
}
