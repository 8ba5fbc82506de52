// A witness of the mouse: whether what the browser sends to a point arrives in this frame.

let moves = 0;
let told = () => {};

const witness = () => {
  moves += 1;
  told(true);
};

const mouseExpected = () => {
  moves = 0;
  addEventListener("mousemove", witness, { capture: true, passive: true });
};

// Whether the mouse has moved here since it was expected, awaited for some milliseconds.
const mouseCame = async (milliseconds) => {
  const came =
    moves > 0 ||
    (await new Promise((answer) => {
      told = answer;
      setTimeout(answer, milliseconds, false);
    }));
  removeEventListener("mousemove", witness, { capture: true });
  told = () => {};
  return came;
};
