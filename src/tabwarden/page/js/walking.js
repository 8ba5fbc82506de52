// What is learned for the length of one walk, and forgotten after it.

const walk = (reading) => {
  suspected = [];
  empty = 0;
  drawersIn = new Map();
  placed = hits = 0;
  try {
    return reading();
  } finally {
    drawersIn = null;
    asking = suspected;
    suspected = null;
  }
};

// What the last walk suspects of having a closed shadow root.
let asking = [];
