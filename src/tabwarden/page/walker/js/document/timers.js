// Timers and animation frames are numbered per document, no matter which world set them (HTML,
// "timers"). So all of a page's timers can be cleared from here.
const MOST_TIMERS = 200000;

export function clearTimers() {
  const nothing = () => {};
  for (let id = Math.min(setTimeout(nothing, 0), MOST_TIMERS); id > 0; id--) clearTimeout(id);
  const last = requestAnimationFrame(nothing);
  for (let id = Math.min(last, MOST_TIMERS); id > 0; id--) cancelAnimationFrame(id);
}
