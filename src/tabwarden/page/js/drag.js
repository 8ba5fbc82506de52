// A witness of drag and drop: whether the page let a drag begin, and what became of it.

let dragging = null;

const dragExpected = () => {
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
};

const DRAG_EVENTS = ["dragstart", "dragend", "drop"];

// Whether a drag began here that the page did not prevent, with what effect it ended ("none" when
// nothing took it; null when it has not), and with what effect something was dropped here. The end
// of a drag that began here is awaited for some milliseconds.
const dragSeen = async (milliseconds) => {
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
};
