// What is under a point, and how large the viewport is that the point lies in.

const viewport = () => ({ width: innerWidth, height: innerHeight });

// The innermost element at a point; for an iframe also where in its document the point lies.
const under = (x, y) => {
  const point = fromScreen(x, y);
  const hit = hitAt(point.x, point.y);
  if (!hit) return null;
  const id = identify(hit);
  const found = { ...describe(hit), id };
  if (!holdsFrame(hit, found.tag)) return found;
  return { ...found, ...frameMap(hit).in(point.x, point.y) };
};
