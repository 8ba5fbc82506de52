// Healing: the element that a ref's own was rendered again as, if that is sure.
//
// A new element is taken for an old one only when all of this holds:
// - it came where the old one stood, and not before that went: what stood beside it is another;
// - it has the same role and name, and the same keys (ids, addresses, handlers) above it;
// - all around it (the row, the card: as far up as no other element of its likeness stands) reads
//   the same, and that is so of exactly one of what went and one of what came;
// - nothing of its kind is missing: what went without a trace might be what it was before.
// Everything else is refused: a click on the wrong row can't be taken back.

const { heal, nearest } = (() => {
  const KEY =
    /^(id|name|for|href|src|action|formaction|on\w+|data-(.*-)?(id|key|uid|uuid|guid|pk|sku|slug|test|testid|qa|cy))$/;
  const OWN_KEY = /^data-(.*-)?(id|key|uid|uuid|guid|pk|sku|slug)$/;
  // Ids that a library makes up anew each time (React's useId).
  const MADE_UP = /:r\w*:|«r\w*»|_r_\w*_/;
  const LABELS = ["role", "type", "aria-label", "title", "alt", "placeholder"];
  const KINDS = ["role", "type", "class"];
  const MAX_NEAR = 200;
  const MAX_COUNTS = 20;
  const MAX_FORMER = 20;

  // Which old id each healed element stands in for: two refs never become one.
  const heirs = new Map();
  // Of one that was healed, what its earlier selves went with: all that went then was found again.
  const former = new WeakMap();
  const formerOf = (element) => former.get(element) ?? [];

  const heal = (id, role, name) => {
    const was = elementOf.get(id)?.deref();
    if (was && identified(id)) return { id };
    const outline = outlineOf();
    const { roles, names, ids } = outline;
    const alike = ids.filter((its, at) => its && roles[at] === role && names[at] === name);
    const heir = was ? heirOf(was, alike.map(identified).filter(Boolean)) : null;
    if (heir) {
      const next = identify(heir);
      if ((heirs.get(next) ?? id) === id) {
        heirs.set(next, id);
        if (heir !== was) former.set(heir, [...formerOf(was), new WeakRef(topOf(was))].slice(-MAX_FORMER));
        return { id: next };
      }
    }
    return { alike: alike.length, around: was ? cutTo(deepText(topOf(was)), 500) : "", ...near(outline, role, name) };
  };

  const heirOf = (was, alike) => {
    const seen = comings();
    if (!seen) return null;
    const { came, isNew } = seen;
    const root = topOf(was);
    const left = seen.went.get(root);
    if (!left || !stands(left.target)) return null;

    const earlier = new Set(formerOf(was).map((one) => one.deref()));
    const lost = elementsIn([...seen.went.keys()].filter((one) => one === root || !earlier.has(one)));
    const fresh = elementsIn(came.keys());
    const label = labelOf(was);
    const twins = [...lost].filter((one) => localName(one) === localName(was) && labelOf(one) === label);
    const heirsToBe = alike.filter((one) => fresh.has(one) && isNew(one));
    const itemOf = items([...twins, ...heirsToBe], came);

    const own = itemOf(was);
    if (own === was && twins.some((one) => one !== was && topOf(one) === root)) return null;
    const signature = signatureOf(own);
    if (twins.some((one) => one !== was && signatureOf(itemOf(one)) === signature)) return null;
    const [heir, other] = heirsToBe.filter((one) => signatureOf(itemOf(one)) === signature);
    if (!heir || other || localName(heir) !== localName(was)) return null;

    const branch = branchOf(heir, left.target);
    if (!branch || !(came.get(branch) >= left.time)) return null;
    if (keysAbove(heir, branch) !== keysAbove(was, root)) return null;
    const stood = alike.filter((one) => !fresh.has(one)).map((one) => branchOf(one, left.target));
    if (stood.some((one) => one && signatureOf(one) === signatureOf(root))) return null;

    const words = deepText(own);
    const isAlone = (all) => all.filter((one) => deepText(itemOf(one)) === words).length === 1;
    if (isOwnKeyed(was, own) && isAlone(twins) && isAlone(heirsToBe)) return heir;
    return isAccounted(was, heir, lost, fresh, new Set(twins), new Set(heirsToBe), itemOf) ? heir : null;
  };

  // Whether each lost element of its kind is found again among what came. One whose words but for
  // their numbers are like no other's ("Like (3)") may have another number.
  const isAccounted = (was, heir, lost, fresh, twins, heirs, itemOf) => {
    const kinds = new Set([kindOfNode(was), kindOfNode(heir)]);
    const ofKind = (all) => [...all].filter((one) => kinds.has(kindOfNode(one)));
    const went = ofKind(lost);
    const came = ofKind(fresh);
    // A twin by what stands around it, any other by its own words.
    const aroundIt = (one) => `${labelOf(one)}\n${deepText(itemOf(one))}`;
    const trace = (one) => (twins.has(one) || heirs.has(one) ? aroundIt(one) : labelOf(one));

    const left = tally(came.filter((one) => one !== heir).map(trace));
    const missing = went.filter((one) => {
      if (one === was) return false;
      const count = left.get(trace(one)) ?? 0;
      left.set(trace(one), count - 1);
      return count <= 0;
    });
    const isSingle = (one) => {
      const isTwin = twins.has(one);
      const words = (some, others) =>
        tally((isTwin ? some.filter((it) => others.has(it)).map(aroundIt) : some.map(labelOf)).map(plain));
      const own = plain(isTwin ? aroundIt(one) : labelOf(one));
      return words(went, twins).get(own) === 1 && words(came, heirs).get(own) === 1;
    };
    return missing.length <= MAX_COUNTS && missing.every(isSingle);
  };

  const plain = (text) => text.replace(/\d+/g, "#");
  const tally = (texts) => {
    const counts = new Map();
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
    return counts;
  };

  // Elements of some trees, shadow roots included.
  const elementsIn = (roots) => {
    const found = new Set();
    const add = (element) => {
      found.add(element);
      const root = shadowRoot(element);
      if (root) for (const inner of all(root, "*")) add(inner);
    };
    for (const root of roots) {
      add(root);
      for (const element of queryAll(root, "*")) add(element);
    }
    return found;
  };

  // To an element the highest one around it that went or came with it and holds no other of those
  // given.
  const items = (elements, came) => {
    const held = new Map();
    const tops = new Map();
    for (const one of elements) {
      for (let at = one; at; at = parentOf(at)) {
        held.set(at, (held.get(at) ?? 0) + 1);
        if (came.has(at) || (at !== document && !parentOf(at))) tops.set(one, at);
      }
    }
    const found = new Map();
    const itemOf = (element) => {
      let item = element;
      for (let at = element; held.get(at) === 1; at = parentOf(at)) {
        if (isElement(at)) item = at;
        if (at === tops.get(element)) break;
      }
      return item;
    };
    return (element) => {
      if (!found.has(element)) found.set(element, itemOf(element));
      return found.get(element);
    };
  };

  const branchOf = (element, place) => {
    for (let at = element; at; at = parentOf(at)) {
      const up = parentOf(at);
      if (up === place) return isElement(at) ? at : null;
    }
    return null;
  };

  const deepText = (element) => {
    let text = textContent(element);
    for (const one of elementsIn([element])) {
      const root = shadowRoot(one);
      if (root) text += ` ${textContent(root)}`;
    }
    return squash(text);
  };

  const valued = (element, names) => names.map((key) => attribute(element, key) ?? "").join("\n");
  const kindOfNode = (element) => `${localName(element)}\n${valued(element, KINDS)}`;
  const labelOf = (element) => {
    const value = localName(element) === "input" && element.type !== "text" ? attribute(element, "value") : "";
    return [localName(element), valued(element, LABELS), value ?? "", deepText(element)].join("\n");
  };

  const keysOf = (element) =>
    attributeNames(element)
      .filter((key) => KEY.test(key))
      .map((key) => `${key}=${attribute(element, key)}`)
      .filter((pair) => !MADE_UP.test(pair))
      .sort()
      .join("\n");

  // What an item reads, and the keys of all that is in it.
  const signatureOf = (item) => {
    const keys = [];
    for (const one of elementsIn([item])) {
      const own = keysOf(one);
      if (own) keys.push(`${localName(one)} ${own}`);
      if (localName(one) === "input") keys.push(attribute(one, "type") ?? "", attribute(one, "value") ?? "");
    }
    return JSON.stringify([deepText(item), keys]);
  };

  const keysAbove = (element, top) => {
    const keys = [];
    for (let at = element; at; at = parentOf(at)) {
      if (isElement(at)) keys.push(keysOf(at));
      if (at === top) break;
    }
    return keys.filter(Boolean).join("\n\n");
  };

  // A key that is a thing's own, on the element or in what stands around it: a place among others
  // (index, "#") is none.
  const isOwnKeyed = (element, item) => {
    const href = attribute(element, "href");
    if (href && !/^\s*(#|javascript:)/i.test(href)) return true;
    for (let at = element; at; at = parentOf(at)) {
      if (isElement(at) && attributeNames(at).some((key) => OWN_KEY.test(key))) return true;
      if (at === item) return false;
    }
    return false;
  };

  // What an agent may have meant: elements of the same role, those of the same name first, each with
  // the words that stand beside it.
  const near = (outline, role, name) => {
    const found = [];
    outline.ids.forEach((id, at) => {
      if (id && outline.roles[at] === role) found.push({ id, name: outline.names[at], at });
    });
    found.sort((a, b) => (b.name === name) - (a.name === name) || a.at - b.at);
    const told = found.slice(0, MAX_NEAR).map(({ id, name: called, at }) => ({
      id, name: called, beside: beside(outline, at), at,
    }));
    const said = tally(told.map(sayingOf));
    for (const one of told) {
      if (said.get(sayingOf(one)) > 1) one.beside = around(outline, one.at) || one.beside;
    }
    return { near: told.map(({ at: _, ...one }) => one) };
  };
  const sayingOf = (one) => `${one.name}\n${one.beside}`;

  const nearest = (role, name) => near(outlineOf(), role, name);

  const beside = ({ depths, names }, at) => {
    const parent = holderOf(depths, at);
    const words = [];
    if (parent >= 0 && names[parent]) words.push(names[parent]);
    for (let i = parent + 1; i < depths.length && depths[i] >= depths[at] && words.length < 3; i++) {
      if (i !== at && depths[i] === depths[at] && names[i]) words.push(names[i]);
    }
    return cutTo(words.join(", "), 80);
  };

  // What tells one of several alike from the others, as in a table's row: the words in all that is
  // around it, as far up as no other stands there.
  const around = ({ depths, roles, names }, at) => {
    const isTwin = (one) => one !== at && roles[one] === roles[at] && names[one] === names[at];
    let words = [];
    for (let top = at; top >= 0; ) {
      top = holderOf(depths, top);
      const found = top >= 0 && names[top] ? [names[top]] : [];
      for (let i = top + 1; i < depths.length && (top < 0 || depths[i] > depths[top]); i++) {
        if (isTwin(i)) return cutTo(words.join(", "), 80);
        if (i !== at && names[i] && found.length < 3) found.push(names[i]);
      }
      words = found;
    }
    return cutTo(words.join(", "), 80);
  };

  const holderOf = (depths, at) => {
    let holder = at;
    while (holder >= 0 && depths[holder] >= depths[at]) holder -= 1;
    return holder;
  };

  return { heal, nearest };
})();
