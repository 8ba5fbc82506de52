// Alerts without a click: one during the page load, one from a timer.

const told = document.getElementById("told");

if (location.search === "?welcome") {
  alert("Welcome back. The kettle has missed you.");
  told.textContent = "You have been welcomed.";
}

document.getElementById("start").addEventListener("click", () => {
  told.textContent = "The tea draws.";
  setTimeout(() => {
    alert("Your tea is ready.");
    told.textContent = "The tea is poured.";
  }, 600);
});
