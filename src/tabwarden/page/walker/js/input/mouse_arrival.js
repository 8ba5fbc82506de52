// Checks whether the browser's mouse events arrive in this frame.

let moves = 0;
let onMove = () => {};

function witness() {
  moves += 1;
  onMove(true);
}

export function mouseExpected() {
  moves = 0;
  addEventListener("mousemove", witness, { capture: true, passive: true });
}

// Waits up to some milliseconds for a mouse move since the call of `mouseExpected`.
export async function mouseCame(milliseconds) {
  const came =
    moves > 0 ||
    (await new Promise((answer) => {
      onMove = answer;
      setTimeout(answer, milliseconds, false);
    }));
  removeEventListener("mousemove", witness, { capture: true });
  onMove = () => {};
  return came;
}
