// The payment service: it asks for a card, then the bank asks for a code in a nested frame.

const shop = document.body.dataset.shop;
const total = new URLSearchParams(location.search).get("total") ?? "€0.00";
const card = document.getElementById("card");
const pay = document.getElementById("pay");
const tell = (text) => {
  document.getElementById("told").textContent = text;
};

pay.textContent = `Pay ${total}`;

document.getElementById("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const digits = card.value.replaceAll(" ", "");
  if (!/^\d{16}$/.test(digits)) {
    card.setAttribute("aria-invalid", "true");
    tell("A card number has 16 digits.");
    return;
  }
  card.removeAttribute("aria-invalid");
  card.readOnly = true;
  pay.disabled = true;
  tell("Your bank wants to be sure that it's you.");
  const frame = document.createElement("iframe");
  frame.title = "Bank check";
  frame.src = `${shop}/bank?total=${encodeURIComponent(total)}`;
  document.getElementById("bank").replaceChildren(frame);
});

window.addEventListener("message", (event) => {
  if (event.origin !== shop || event.data?.kind !== "approved") return;
  document.getElementById("bank").replaceChildren();
  tell("Paid.");
  window.parent.postMessage({ kind: "paid", total, last4: card.value.slice(-4) }, shop);
});
