// The front page: products, basket, and two buttons that ask with native dialogs.

const byId = (id) => document.getElementById(id);

const drawProducts = () => {
  for (const product of PRODUCTS) {
    const item = byId("product").content.cloneNode(true);
    item.querySelector("li").dataset.tint = product.tint;
    item.querySelector("h2").textContent = product.name;
    item.querySelector(".about").textContent = product.about;
    item.querySelector(".price").textContent = euros(product.cents);
    item.querySelector(".unseen").textContent = product.name;
    item.querySelector("button").addEventListener("click", () => {
      Basket.add(product.id);
      drawBasket();
    });
    byId("products").append(item);
  }
};

const drawBasket = () => {
  const count = Basket.count();
  byId("basket-status").textContent = count
    ? `${count} ${count === 1 ? "item" : "items"}, ${euros(Basket.cents())}`
    : "Nothing in it yet.";
  byId("basket-lines").replaceChildren(
    ...Basket.entries().map((line) => {
      const item = document.createElement("li");
      item.textContent = `${line.count} × ${line.name}`;
      return item;
    }),
  );
  byId("gift-note").hidden = !Basket.note();
  byId("gift-note").textContent = `Gift note: ${Basket.note()}`;
};

byId("clear").addEventListener("click", () => {
  const answer = confirm(`Empty the basket? ${Basket.count()} items are in it.`);
  byId("clear").dataset.answer = String(answer);
  if (answer) Basket.empty();
  drawBasket();
});

byId("gift").addEventListener("click", () => {
  const note = prompt("What shall the gift note say?", "With best wishes");
  if (note !== null) Basket.setNote(note);
  drawBasket();
});

drawProducts();
drawBasket();
