// What is learned for the length of one walk, and forgotten after it.

const walk = (reading) => {
  suspected = [];
  documentNow = document;
  empty = 0;
  drawersIn = new Map();
  beginPlaces();
  tellingOf = null;
  disables = all(document, "fieldset[disabled]").length > 0;
  try {
    return reading();
  } finally {
    drawersIn = seenNow = cuttersNow = documentNow = null;
    disables = true;
    asking = suspected;
    suspected = null;
  }
};

// What the last walk suspects of having a closed shadow root.
let asking = [];
