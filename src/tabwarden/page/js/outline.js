// The walk: one frame's document as records of depth, role, name, id and states, a column each.

const QUIET = 1; // an ancestor's name holds this text
const DISABLED = 2;
const WITHIN = 4; // inside something interactive or clickable
const INERT = 8;
const UNSEEN = 16;

const MAX_INLINE = 160;
const SEEN = 1;
const OUT = 2;
const BOXLESS = 3; // it may hold what has a box
const MANY = 64;
const STEP = 15;

// DOM levels that are followed; the parser itself stops nesting at 512.
const MAX_LEVELS = 900;

const LEAVES = new Set(
  "input textarea select img canvas video audio iframe frame object embed progress meter".split(" "),
);
const isLeaf = (element, tag) => LEAVES.has(tag) && !(tag === "object" && showsOwn(element));
// With a ref though not interactive: what an agent may want to look at, hover or drag.
const REFERABLE = new Set("img dialog alertdialog canvas video audio iframe embed object".split(" "));
// Said even when there is nothing in it.
const KEPT_EMPTY = new Set("separator cell gridcell columnheader rowheader progressbar meter".split(" "));
const UNNAMED_IS_NOTHING = new Set("group region form img tabpanel".split(" "));

// With `view`, also which records are in the viewport, as [from, to) pairs of their indexes.
function outlineOf(view) {
  const modal = modalOnTop();
  const known = nestedModals.length;
  const outline = outlineUnder(modal, view);
  if (nestedModals.length === known) return outline;
  beginPlaces();
  return outlineUnder(modalOnTop(), view);
}

function outlineUnder(modal, view) {
  const depths = [];
  const roles = [];
  const names = [];
  const ids = []; // 0 where there is none
  const states = []; // null where there are none
  const where = []; // the element of each record; of a text, the one around it
  let run = "";
  let around = null;
  let cut = false;

  labelsOf = new Map();
  learnLabels(document);
  const ownedBy = ownership();
  const active = activeInOutline();

  const add = (depth, role, name, id, state, element) => {
    depths.push(depth);
    roles.push(role);
    names.push(name);
    ids.push(id);
    states.push(state);
    where.push(element);
  };

  const dropFrom = (at) => {
    for (const column of [depths, roles, names, ids, states, where]) column.length = at;
  };

  const flush = (depth) => {
    if (!run) return;
    const text = run === " " || run === "\n" ? "" : squash(run, MAX_TEXT);
    run = "";
    if (text) add(depth, "text", text, 0, null, around);
  };

  const visitChildren = (element, tag, depth, flags, level) => {
    const root = shadowRoot(element);
    if (root) learnLabels(root);
    const instead = childrenInstead(element, tag);
    if (instead) {
      for (const child of instead) visit(child, depth, flags, level, element);
    } else {
      for (let child = firstChild(element); child; child = nextSibling(child)) {
        visit(child, depth, flags, level, element);
      }
    }
    if (ownedBy.size && hasAttribute(element, "aria-owns")) {
      for (const owned of new Set(ownedElements(element))) {
        if (ownedBy.get(owned) === element) visit(owned, depth, flags, level, element);
      }
    }
  };

  const visit = (node, depth, flags, level, from) => {
    const type = nodeType(node);
    if (type === 3) {
      if (flags & (QUIET | INERT | UNSEEN)) return;
      if (!run) around = from;
      run += data(node);
      return;
    }
    if (type !== 1) return;
    const tag = localName(node);
    if (isHiddenFromAll(node, tag)) return;
    if (ownedBy.size && ownedBy.has(node) && ownedBy.get(node) !== from) return;
    if (level > MAX_LEVELS) {
      cut = true;
      return;
    }
    const shown = showing(node);
    if (shown === GONE) return;
    flags = shown === INVISIBLE ? flags | UNSEEN : flags & ~UNSEEN;
    if (anyRoots && tag === "dialog") noteModal(node);
    if (modal) flags = node === modal ? flags & ~INERT : flags;
    if (isTelling(node, tag) && hasAttribute(node, "inert")) return;
    if (tag === "br") {
      flush(depth);
      return;
    }
    if (flags & (INERT | UNSEEN)) {
      if (!LEAVES.has(tag)) inside(node, tag, depth, flags, level + 1);
      return;
    }
    shownElement(node, tag, depth, flags, level + 1);
  };

  // Only the summary of a closed <details> is drawn; its text nodes can't be asked.
  const inside = (element, tag, depth, flags, level) => {
    if (tag === "details" && !element.open) {
      const summary = all(element, ":scope > summary")[0];
      if (summary) visit(summary, depth, flags, level, element);
    } else {
      visitChildren(element, tag, depth, flags, level);
    }
  };

  const shownElement = (element, tag, depth, flags, level) => {
    const role = roleOf(element, tag);
    const interactive = INTERACTIVE.has(role);
    if (interactive && (role !== "option" || tag !== "option")) {
      emit(element, tag, role, depth, flags, level, true);
      return;
    }
    const clickable = isControl(element, tag) || (!(flags & WITHIN) && isClickable(element, tag));
    if (TRANSPARENT.has(role) && !clickable && !isHandy(element, tag, (flags & WITHIN) !== 0)) {
      const breaks = !INLINE_TAGS.has(tag) || (isGlued(element, run) && standsAlone(element));
      if (breaks) flush(depth);
      if (tag === "label" && isSaidByControl(element)) flags |= QUIET;
      if (isTelling(element, tag) && attribute(element, "aria-disabled") === "true") {
        flags |= DISABLED;
      }
      if (!isLeaf(element, tag)) inside(element, tag, depth, flags, level);
      if (breaks) flush(depth);
      return;
    }
    emit(element, tag, TRANSPARENT.has(role) ? "generic" : role, depth, flags, level, clickable);
  };

  const emit = (element, tag, role, depth, flags, level, actionable) => {
    if (role === "iframe" && isTiny(element)) return;
    const quietAbove = (flags & QUIET) !== 0;
    let name = role === "generic" ? nameOfNothing(element, tag) : nameOf(element, tag, role);
    const from = nameFrom;
    if (SHOWS_CONTENT.has(role) && from === "content") name = "";
    const structure = !actionable && !REFERABLE.has(role);
    // Inside a name there is nothing left to say but what can be acted on.
    if ((quietAbove && !actionable && role !== "iframe") ||
        (!name && !actionable && UNNAMED_IS_NOTHING.has(role) && !isEditingHost(element))) {
      if (tag === "svg") flags |= quietAbove ? QUIET : 0;
      flush(depth);
      if (!isLeaf(element, tag)) inside(element, tag, depth, flags, level);
      flush(depth);
      return;
    }
    flush(depth);
    const state = statesOf(element, tag, role, name, (flags & DISABLED) !== 0);
    if (element === active.element || element === active.descendant) state.active = true;
    if (role === "generic" && actionable) state.clickable = true;
    if (actionable && !state.disabled) addPlace(state, element);
    if (role === "iframe") state.url = shortUrl(element.src ?? element.data);
    const whole = cutTo(name, MAX_NAME);
    const handy = !structure || state.editable || state.draggable || isTabStop(element, tag);
    const id = handy ? identify(element) : 0;
    const at = depths.length;
    add(depth, role, whole, id, state, element);

    let below = flags;
    if (actionable) below |= WITHIN;
    if (state.disabled) below |= DISABLED;
    if (from === "content" && name && whole === name) below |= QUIET;
    if (role === "textbox" && state.value) {
      // What is short is a value; a document is read as one.
      if (LEAVES.has(tag) || state.value.length <= MAX_INLINE) below |= QUIET;
      else delete state.value;
    }
    if (!isLeaf(element, tag) && !isSaid(element, tag, below)) {
      inside(element, tag, depth + 1, below, level);
      flush(depth + 1);
    }
    if (isEmpty(state)) states[at] = null;
    fold(at);
  };

  // Whether all that is in an element is in its name, so that there is nothing to visit.
  const isSaid = (element, tag, below) =>
    element === lastAlone && (below & QUIET) !== 0 && !ownedBy.size && !tag.includes("-");

  // A node with nothing but a text in it takes that as its name; one with nothing at all goes.
  const fold = (at) => {
    const inner = depths.length - at - 1;
    if (names[at]) return;
    if (inner === 1 && roles[at + 1] === "text" && roles[at] !== "iframe") {
      names[at] = names[at + 1];
      dropFrom(at + 1);
    } else if (!inner && !ids[at] && !KEPT_EMPTY.has(roles[at])) {
      dropFrom(at);
    }
  };

  const start = bodyOf(document) ?? rootOf(document);
  if (start) visit(start, 0, modal ? INERT : 0, 0, null);
  flush(0);
  labelsOf = new Map();
  return { depths, roles, names, ids, states, cut, view: view ? inView(depths, where) : [] };
}

const isEmpty = (state) => {
  for (const _ in state) return false;
  return true;
};

// Which records are in the viewport. Of what stands in something out of view no box is asked, and of
// many that stand side by side only some, and those beside them.
const inView = (depths, elements) => {
  const seen = new Int8Array(elements.length);
  const [width, height] = [innerWidth, innerHeight];
  const ask = (at) => {
    if (seen[at]) return seen[at];
    const box = boundingRect(elements[at]);
    const is = box.top < height && box.bottom > 0 && box.left < width && box.right > 0;
    return (seen[at] = is ? SEEN : box.width && box.height ? OUT : BOXLESS);
  };
  const count = depths.length;
  for (let at = 0, end = 0; at < count; at = end) {
    const depth = depths[at];
    while (end < count && depths[end] === depth) end++;
    const step = end - at > MANY ? STEP : 1;
    for (let from = at; from < end; from += step) {
      const to = Math.min(from + step, end - 1);
      if (ask(from) !== SEEN && ask(to) !== SEEN) continue;
      for (let one = from - step; one < to + step; one++) if (one >= at && one < end) ask(one);
    }
    if (end < count && depths[end] > depth && ask(end - 1) === OUT) {
      while (end < count && depths[end] > depth) end++;
    }
  }
  const ranges = [];
  for (let at = 0, was = false; at <= elements.length; at++) {
    const is = seen[at] === SEEN;
    if (is !== was) ranges.push(at);
    was = is;
  }
  return ranges;
};

// Clickable though it has no role for it: its own handler, or the pointing hand that it begins.
const isClickable = (element, tag) => {
  if (tag === "body" || tag === "html" || LEAVES.has(tag) && tag !== "img" && tag !== "canvas") {
    return false;
  }
  if (isTelling(element, tag) && hasAttribute(element, "onclick")) return true;
  if (tag === "label" && element.control && !checkVisibility(element.control, RENDERED)) return true;
  if (getComputedStyle(element).cursor !== "pointer") return false;
  return tag === "label" ? !element.control : !isOfLabel(element);
};

// A label's hand is for its control, in all that stands in the label.
const isOfLabel = (element) => {
  const label = closest(element, "label");
  return label !== null && label.control !== null && getComputedStyle(label).cursor === "pointer";
};

const isTabStop = (element, tag) => {
  const index = isTelling(element, tag) ? attribute(element, "tabindex") : null;
  return index !== null && Number(index) >= 0;
};

// Not interactive by its role, yet there to be dragged, or a widget of the page's own.
const isHandy = (element, tag, within) => {
  if (!isTelling(element, tag) || tag === "body" || tag === "html" || LEAVES.has(tag)) return false;
  if (attribute(element, "draggable") === "true") return true;
  return !within && isTabStop(element, tag) && isWidget(element, tag);
};

// A tab stop that is none only to be scrolled, to catch the focus, or to stand around others.
const isWidget = (element, tag) => {
  if (hasAttribute(element, "aria-label") || hasAttribute(element, "aria-labelledby")) return true;
  if (tag === "label" && element.control) return false;
  if (isTiny(element)) return false;
  if (canScroll(element, true, false) || canScroll(element, false, false)) return false;
  const root = shadowRoot(element);
  const inside = (root && firstOf(root, ACTED_ON)) ?? firstOf(element, ACTED_ON);
  return !inside || !checkVisibility(inside, RENDERED);
};
const ACTED_ON = [
  "a[href], button, input, select, textarea, summary, iframe, [tabindex], [onclick], [draggable=true]",
  "[contenteditable]", ...[...INTERACTIVE].map((role) => `[role=${role}]`),
].join();

// Whether no space is written between an element and the text before it, or what comes after.
const isGlued = (element, run) => {
  if (run && !isSpace(run.at(-1))) return true;
  const next = nextSibling(element);
  return next !== null && !(nodeType(next) === 3 && isSpace(data(next)[0]));
};
const isSpace = (text) => text === " " || text === "\n" || text === "\t";

// Drawn as a block though its tag is an inline one, as in a row of boxes. A letter that floats is part
// of its word.
const standsAlone = (element) => {
  const style = getComputedStyle(element);
  return !FLOWING.test(style.display) && style.float === "none";
};
const FLOWING = /^(inline|contents|ruby)/;

// A label's text is its control's name, unless the control has another, can't be seen, or is an element
// of the page's own that is not said by itself.
const isSaidByControl = (label) => {
  const control = label.control;
  return (
    control !== null &&
    !(localName(control).includes("-") && TRANSPARENT.has(roleOf(control, localName(control)))) &&
    checkVisibility(control, RENDERED) &&
    !hasAttribute(control, "aria-label") &&
    !hasAttribute(control, "aria-labelledby")
  );
};
