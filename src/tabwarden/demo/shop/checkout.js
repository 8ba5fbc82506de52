// The checkout: the payment form belongs to another site; this page shows what the form posts.

const payments = document.body.dataset.payments;
const show = (id, text) => {
  document.getElementById(id).textContent = text;
};

const total = euros(Basket.cents());
show("total", total);
document.getElementById("order-lines").append(
  ...Basket.entries().map((line) => {
    const item = document.createElement("li");
    item.textContent = `${line.count} × ${line.name}, ${euros(line.count * line.cents)}`;
    return item;
  }),
);
if (Basket.note()) {
  document.getElementById("order-note").hidden = false;
  show("order-note", `Gift note: ${Basket.note()}`);
}
document.getElementById("payment").src = `${payments}/payment?total=${encodeURIComponent(total)}`;

window.addEventListener("message", (event) => {
  if (event.origin !== payments || event.data?.kind !== "paid") return;
  show("outcome", `Thank you. ${event.data.total} paid with the card ending ${event.data.last4}.`);
  document.getElementById("outcome").classList.add("good");
  document.getElementById("payment").classList.add("over");
  Basket.empty();
});
