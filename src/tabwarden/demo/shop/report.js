// One button works; the other runs a loop that never ends, as a page with a bug would.

const told = document.getElementById("told");

document.getElementById("daily").addEventListener("click", () => {
  told.textContent = "Today: 12 packets of tea, 3 cups.";
});

document.getElementById("yearly").addEventListener("click", () => {
  for (let week = 1, sold = 0; week <= 52; sold += week) {
    // The week never advances.
  }
  told.textContent = "The year is counted.";
});
