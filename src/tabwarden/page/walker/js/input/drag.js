// Watches drag and drop: did the page let a drag begin, and how did it end?

let dragging = null;

export function dragExpected() {
  dragging?.forget();
  const events = {};
  const note = (event) => {
    events[event.type] = { event, effect: event.dataTransfer?.dropEffect };
  };
  for (const kind of DRAG_EVENTS) addEventListener(kind, note, true);
  dragging = {
    events,
    forget: () => {
      for (const kind of DRAG_EVENTS) removeEventListener(kind, note, true);
      dragging = null;
    },
  };
}

const DRAG_EVENTS = ["dragstart", "dragend", "drop"];

// Tells whether a drag began here without being prevented, and with which effects it ended here and
// was dropped here. An effect is "none" if nothing took the drop, and null without an event. Waits
// up to some milliseconds for the end of a drag that began here.
export async function dragSeen(milliseconds) {
  if (!dragging) return { began: false, ended: null, dropped: null };
  const { events, forget } = dragging;
  const { dragstart } = events;
  const began = dragstart !== undefined && !dragstart.event.defaultPrevented;
  const until = performance.now() + milliseconds;
  while (began && !events.dragend && performance.now() < until) {
    await new Promise((later) => setTimeout(later, 5));
  }
  forget();
  return { began, ended: events.dragend?.effect ?? null, dropped: events.drop?.effect ?? null };
}
