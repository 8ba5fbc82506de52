// Creates and updates elements. All text is inserted as text, so a page's text never becomes markup.

const SVG = "http://www.w3.org/2000/svg";

// h("button", { class: "quiet", onclick: f }, "Text", child)
export function h(name, about = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(about)) set(element, key, value);
  element.append(...children.flat().filter((one) => one !== null && one !== undefined && one !== false));
  return element;
}

function set(element, key, value) {
  if (value === undefined || value === null || value === false) return;
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else if (key === "class") element.className = value;
  else if (key === "data") Object.assign(element.dataset, value);
  else if (key in element && !key.startsWith("aria") && key !== "list" && key !== "role") element[key] = value;
  else element.setAttribute(key, value === true ? "" : value);
}

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name] ?? ICONS.dot);
  svg.append(path);
  return svg;
}

const ICONS = {
  dot: "M10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  hand: "M6 11V6.500a1.250 1.250 0 0 1 2.500 0V10m0-5a1.250 1.250 0 0 1 2.500 0v5m0-4a1.250 1.250 0 0 1 2.500 0v5.500c0 3-1.800 5-4.700 5-2.600 0-3.600-1.300-5-4L2.700 10.800a1.250 1.250 0 0 1 2.100-1.300L6 11",
  bell: "M5 14V9a5 5 0 0 1 10 0v5M3.500 14h13M8.500 16.500a1.500 1.500 0 0 0 3 0",
};

// Updates only differences, so that focus and selection stay.
export function text(element, words) {
  const wanted = words ?? "";
  if (element.textContent !== wanted) element.textContent = wanted;
}

export function attribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

// Shows one child per item, in order, and reuses the children of previous items.
// `make(item)` returns { node, update(item) }.
export function keyed(parent, items, keyOf, make) {
  const known = (parent.keyed ??= new Map());
  const wanted = new Set();
  let at = parent.firstChild;
  for (const item of items) {
    const key = keyOf(item);
    wanted.add(key);
    let part = known.get(key);
    if (!part) {
      part = make(item);
      known.set(key, part);
    }
    part.update?.(item);
    if (part.node === at) at = at.nextSibling;
    else parent.insertBefore(part.node, at);
  }
  for (const [key, part] of known) {
    if (wanted.has(key)) continue;
    part.end?.();
    part.node.remove();
    known.delete(key);
  }
}

// A command for a terminal, with a button that copies it.
export function command(words) {
  const code = h("code", {}, words);
  const copy = h("button", { type: "button", onclick: () => navigator.clipboard?.writeText(words).then(() => text(copy, "Copied"), select) ?? select() }, "Copy");
  const select = () => getSelection().selectAllChildren(code);
  return h("p", { class: "command" }, code, copy);
}

export function toast(words, kind = "plain") {
  const place = document.getElementById("toasts");
  const node = h("p", { class: `toast ${kind}` }, words);
  place.append(node);
  setTimeout(() => node.remove(), 6000);
}
