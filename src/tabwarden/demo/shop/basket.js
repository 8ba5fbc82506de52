// The basket, kept in this site's storage and shared by all pages of the shop.

const PRODUCTS = [
  { id: "sencha", name: "Sencha", about: "Green and grassy, from a hillside in Uji.", cents: 1450, tint: "leaf" },
  { id: "lapsang", name: "Lapsang Souchong", about: "Black, dried over pinewood smoke.", cents: 1290, tint: "ember" },
  { id: "chamomile", name: "Chamomile", about: "Whole blossoms, for the end of the day.", cents: 890, tint: "sun" },
  { id: "cup", name: "Stoneware cup", about: "Thrown by hand, holds two deciliters.", cents: 2400, tint: "clay" },
];

const euros = (cents) => `€${(cents / 100).toFixed(2)}`;

const Basket = {
  lines: () => JSON.parse(localStorage.getItem("basket") ?? "{}"),
  note: () => localStorage.getItem("gift-note") ?? "",
  setNote: (text) => localStorage.setItem("gift-note", text),
  add(id) {
    const lines = Basket.lines();
    lines[id] = (lines[id] ?? 0) + 1;
    localStorage.setItem("basket", JSON.stringify(lines));
  },
  empty: () => localStorage.clear(),
  entries: () =>
    PRODUCTS.filter((product) => Basket.lines()[product.id]).map((product) => ({
      ...product,
      count: Basket.lines()[product.id],
    })),
  count: () => Basket.entries().reduce((sum, line) => sum + line.count, 0),
  cents: () => Basket.entries().reduce((sum, line) => sum + line.count * line.cents, 0),
};
