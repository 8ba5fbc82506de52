// What is learned for the length of one walk, and forgotten after it.

const walk = (reading) => {
  suspected = [];
  drawersIn = new Map();
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
