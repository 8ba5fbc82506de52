// The walk: one frame's document as columns of depth, role, name, id and states.

import { ownership } from "../accessibility/aria_owns.js";
import { authorWords, iconWord } from "../accessibility/author_words.js";
import {
  isClickable, isHandy, isInnermostListener, isItemOfListener, isPartOfControl, isTabStop, startsHand,
} from "../accessibility/clickable.js";
import { carousels, collectParts } from "../accessibility/carousels.js";
import { forgetLabels, learnLabels } from "../accessibility/labels.js";
import { nameOf, nameOfNothing, SHOWS_CONTENT } from "../accessibility/names.js";
import { lastAlone, nameFrom, roleOf } from "../accessibility/names_and_roles.js";
import { cellBeside, isDescribedBeside, isField, labelBeside, labelIn } from "../accessibility/near.js";
import { isControl, isEditingHost } from "../accessibility/operable.js";
import { CELLS, PARTED, partOfRecord } from "../accessibility/parts.js";
import { inReadingOrder, learnFlows } from "../accessibility/reading_flow.js";
import { INTERACTIVE, TRANSPARENT } from "../accessibility/role_sets.js";
import { shortUrl, statesOf } from "../accessibility/states.js";
import { isShape, isSmallDrawing, shapeWords } from "../accessibility/svg_shapes.js";
import { activeInOutline } from "../document/active_element.js";
import { identified, identify } from "../dom/element_ids.js";
import { childrenInstead, INLINE_TAGS, isLeaf, LEAVES } from "../dom/flat_tree.js";
import { beginShown, noteRead, noteRoot, noteShown } from "../dom/last_shown.js";
import { leftBehind, shownDialogs } from "../dom/left_behind.js";
import {
  all, attribute, data, firstChild, hasAttribute, localName, nextSibling, nodeType, ownedElements, rootOf,
} from "../dom/natives.js";
import { isTelling } from "../dom/semantic_attributes.js";
import { anyRoots, shadowRoot } from "../dom/shadow_roots.js";
import { cutTo, MAX_NAME, MAX_TEXT, squash } from "../dom/text.js";
import { GONE, INVISIBLE, isHiddenFromAll, NEVER, showing, SHOWN } from "../dom/visibility.js";
import { isIcon, isTiny } from "../geometry/boxes.js";
import { isFolded } from "../geometry/clipping.js";
import { checkDrawnBy, checkIn } from "../geometry/drawn_checks.js";
import { modalOnTop, nestedModals, noteModal } from "../hits/modal.js";
import { isGlued, isSaidByControl, standsAlone } from "./flow.js";
import { inView } from "./in_view.js";
import { arranged, isSetAside } from "./layers.js";
import { addPlace, beginPlaces } from "./offscreen_obscured.js";

const QUIET = 1; // the name of an ancestor includes this text
const DISABLED = 2;
const WITHIN = 4; // inside an interactive or clickable element
const BEHIND = 8; // outside the modal dialog
const UNSEEN = 16;
const IN_CONTROL = 32; // inside an interactive element
const IN_DRAWING = 64; // inside a small drawing
const FOLDED = 128; // inside a box that has no height or width
const IN_CELL = 256;

const MAX_INLINE = 160;

// The name that the browser gives each file input.
const UPLOADS = "Choose File";

// The depth limit. The parser itself stops nesting at 512.
const MAX_LEVELS = 900;

// These are not interactive, but get a ref because an agent may look at, hover or drag them.
const EMBEDDED = new Set(["iframe", "embed", "object"]);
const REFERABLE = new Set("img dialog alertdialog canvas video audio iframe embed object".split(" "));
// These roles are listed even if they are empty.
const KEPT_EMPTY = new Set("separator cell gridcell columnheader rowheader progressbar meter".split(" "));
const MOST_SHAPES = 100;
const UNNAMED_IS_NOTHING = new Set("group region form img tabpanel".split(" "));

// Creates the outline. With `view`, adds which records are in the viewport, as [from, to) pairs.
export function outlineOf(view) {
  beginShown();
  const modal = modalOnTop();
  const known = nestedModals.length;
  const outline = outlineUnder(modal, view);
  if (nestedModals.length === known) return outline;
  beginPlaces();
  return outlineUnder(modalOnTop(), view);
}

// Creates the outline of one element, which has a line even if an outline of the page has no line
// for it.
export const outlineIn = (id, view) => outlineUnder(null, view, identified(id));

function outlineUnder(modal, view, only = undefined) {
  const depths = [];
  const roles = [];
  const names = [];
  const ids = []; // 0 for a record without an id
  const states = []; // null for a record without states
  const where = []; // the element of each record; for a text, the text's parent
  let run = "";
  let around = null;
  let cut = false;
  let modalRange = null;
  const aside = [];
  const left = modal ? new Set() : leftBehind();
  const ticked = new Set(); // hidden checkboxes, each shown by its label
  let dialogs = null;
  let shapesLeft = MOST_SHAPES;
  const icons = new Set(); // icons in texts

  forgetLabels();
  learnLabels(document);
  collectParts(document);
  learnFlows(document);
  const controls = carousels();
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
    if (text && !isLabel(text, depths.length - 1, depth)) add(depth, "text", text, 0, null, around);
  };

  // Whether a text is the label that the preceding control already shows.
  const isLabel = (text, at, depth) =>
    at >= 0 && depths[at] === depth && states[at]?.near !== undefined && states[at].near === labelIn(text);

  // Shows an icon in a text. Controls with the same icon will show it, too.
  const addIcon = (element, tag) => {
    const icon = iconWord(element, tag);
    if (!icon) return false;
    icons.add(icon);
    if (!run) around = element;
    run += ` [${icon}] `;
    return true;
  };

  // Shows a small image in a table cell as its name, such as "True" for a check mark.
  const addWords = (element, tag, flags) => {
    const name = nameOf(element, tag, "img");
    if (!name || flags & (QUIET | FOLDED)) return false;
    if (!run) around = element;
    run += ` ${name} `;
    return true;
  };

  // Shows the label beside a field without a name, in place of the text before it.
  const addLabel = (state, element, role, depth) => {
    const label = labelBeside(element, role);
    if (!label) return;
    state.near = label;
    const last = depths.length - 1;
    if (roles[last] === "text" && depths[last] === depth && labelIn(names[last]) === label) dropFrom(last);
  };

  const visitChildren = (element, tag, depth, flags, level) => {
    const root = shadowRoot(element);
    if (root) {
      learnLabels(root);
      collectParts(root);
      learnFlows(root);
      noteRoot(root);
    }
    const instead = inReadingOrder(element) ?? childrenInstead(element, tag);
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
      if (flags & (QUIET | UNSEEN | FOLDED)) return;
      if (!run) around = from;
      run += data(node);
      return;
    }
    if (type !== 1) return;
    const tag = localName(node);
    if (node !== only && (isHiddenFromAll(node, tag) || (isTelling(node, tag) && hasAttribute(node, "inert")))) {
      if (left.has(node)) visitLeft(node, tag, depth, flags, level + 1);
      else if (!(flags & BEHIND) && isTelling(node, tag)) visitAside(node, tag, depth, flags, level);
      return;
    }
    if (ownedBy.size && ownedBy.has(node) && ownedBy.get(node) !== from) return;
    if (level > MAX_LEVELS) {
      cut = true;
      return;
    }
    const shown = showing(node);
    if (shown === GONE) return;
    if (shown !== INVISIBLE) noteShown(node);
    flags = shown === INVISIBLE ? flags | UNSEEN : flags & ~UNSEEN;
    if (anyRoots && tag === "dialog") noteModal(node);
    if (node === modal && !modalRange) {
      flush(depth);
      const start = depths.length;
      modalRange = [start, start];
      visit(node, depth, 0, level, from);
      flush(depth);
      modalRange = [start, depths.length];
      return;
    }
    if (tag === "br") {
      flush(depth);
      return;
    }
    if (flags & UNSEEN) {
      if (!LEAVES.has(tag)) inside(node, tag, depth, flags, level + 1);
      return;
    }
    if (!(flags & FOLDED) && firstChild(node) && isFolded(node, tag)) flags |= FOLDED;
    const carousel = controls.size && !(flags & FOLDED) ? controls.get(node) : undefined;
    if (carousel) addControls(carousel, node, depth, true);
    shownElement(node, tag, depth, flags, level + 1);
    if (carousel) addControls(carousel, node, depth, false);
  };

  // Shows the buttons and markers that the browser draws for a carousel.
  const addControls = ({ buttons, markers, isBefore, isTabs }, scroller, depth, isAbove) => {
    flush(depth);
    const addControl = ({ role, name, id, state }, at) => add(at, role, name, id, isEmpty(state) ? null : state, scroller);
    if (isAbove) for (const button of buttons) addControl(button, depth);
    if (isBefore !== isAbove || !markers.length) return;
    add(depth, isTabs ? "tablist" : "navigation", "", 0, null, scroller);
    for (const marker of markers) addControl(marker, depth + 1);
  };

  // Shows a part that a closed dialog left behind, below a line that says so.
  const visitLeft = (node, tag, depth, flags, level) => {
    flush(depth);
    add(depth, "left behind", hasAttribute(node, "inert") ? "inert" : "aria-hidden", 0, null, node);
    shownElement(node, tag, depth + 1, flags, level);
    flush(depth + 1);
  };

  const visitAside = (node, tag, depth, flags, level) => {
    if (NEVER.has(tag) || level > MAX_LEVELS || showing(node) !== SHOWN) return;
    dialogs ??= shownDialogs();
    if (!dialogs.length || !isSetAside(node, dialogs)) return;
    flush(depth);
    const start = depths.length;
    shownElement(node, tag, depth, flags | BEHIND, level + 1);
    flush(depth);
    if (depths.length > start) aside.push([start, depths.length]);
  };

  // In a closed <details>, only the summary is drawn. Text nodes can't be checked for that.
  const inside = (element, tag, depth, flags, level) => {
    if (tag === "details" && !element.open) {
      const summary = all(element, ":scope > summary")[0];
      if (summary) visit(summary, depth, flags, level, element);
    } else {
      visitChildren(element, tag, depth, flags, level);
    }
  };

  const shownElement = (element, tag, depth, flags, level) => {
    const check = tag === "label" ? checkDrawnBy(element) : null;
    if (check) {
      if (!ticked.has(check)) emit(check, "input", roleOf(check, "input"), depth, flags, level, true, element);
      ticked.add(check);
      inside(element, tag, depth, flags | QUIET | WITHIN, level);
      return;
    }
    const role = roleOf(element, tag);
    const interactive = INTERACTIVE.has(role);
    if (interactive && (role !== "option" || tag !== "option")) {
      emit(element, tag, role, depth, flags, level, true);
      return;
    }
    const isInHand = flags & WITHIN && (flags & IN_CONTROL || !startsHand(element));
    const clickable = isControl(element, tag) || (!isInHand && isClickable(element, tag)) ||
      (flags & IN_CONTROL ? isPartOfControl(element, tag) : isInnermostListener(element, tag) || isItemOfListener(element, tag));
    if (tag === "svg" && shapesLeft > 0 && !(flags & (WITHIN | QUIET)) && isSmallDrawing(element)) flags |= IN_DRAWING;
    if (flags & IN_CELL && role === "img" && !clickable && isIcon(element) && addWords(element, tag, flags)) return;
    if (flags & IN_DRAWING && !clickable && isShape(element, tag) && shapeWords(element, tag)) {
      shapesLeft -= 1;
      emit(element, tag, "img", depth, flags, level, false);
      return;
    }
    if (TRANSPARENT.has(role) && element !== only && !clickable && !isHandy(element, tag, (flags & WITHIN) !== 0)) {
      if (!(flags & (QUIET | WITHIN | IN_CONTROL | FOLDED)) && addIcon(element, tag)) return;
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

  // `place`: the element that is drawn for this element.
  const emit = (element, tag, role, depth, flags, level, actionable, place = element) => {
    if (role === "iframe" && isTiny(element)) return;
    const quietAbove = (flags & (QUIET | FOLDED)) !== 0;
    let name = role === "generic" ? nameOfNothing(element, tag) : nameOf(element, tag, role);
    const from = nameFrom;
    if (SHOWS_CONTENT.has(role) && from === "content") name = "";
    const structure = !actionable && !REFERABLE.has(role);
    // Inside an element with a name from content, only actionable elements add anything.
    if ((quietAbove && !actionable && role !== "iframe") ||
        (element !== only && !name && !actionable && UNNAMED_IS_NOTHING.has(role) && !isEditingHost(element) &&
          (tag === "svg" || !(flags & IN_DRAWING)))) {
      if (tag === "svg") flags |= quietAbove ? QUIET : 0;
      flush(depth);
      if (!isLeaf(element, tag)) inside(element, tag, depth, flags, level);
      flush(depth);
      return;
    }
    flush(depth);
    const state = statesOf(element, tag, role, name, (flags & DISABLED) !== 0);
    if (element === active.element || element === active.descendant) state.active = true;
    if (actionable && flags & FOLDED) state.offscreen = true;
    else if (actionable && !state.disabled && !(flags & BEHIND)) addPlace(state, place);
    if (state.description && element !== only && isDescribedBeside(element)) delete state.description;
    if (EMBEDDED.has(role)) state.url = shortUrl(element.src ?? element.data);
    if (actionable && (!name || name === UPLOADS) && isField(element, tag, role)) addLabel(state, element, role, depth);
    const whole = cutTo(name, MAX_NAME);
    const handy = !structure || element === only || state.editable || state.draggable || isTabStop(element, tag);
    const id = handy ? identify(element) : 0;
    const at = depths.length;
    add(depth, role, whole, id, state, place);

    let below = flags;
    if (actionable) below |= WITHIN;
    if (actionable && role === "generic" && !name) below &= ~QUIET; // a part of a control
    if (INTERACTIVE.has(role) || isControl(element, tag)) below |= IN_CONTROL;
    if (state.disabled) below |= DISABLED;
    if (CELLS.has(role)) below |= IN_CELL;
    if (from === "content" && name && whole === name) below |= QUIET;
    if (role === "textbox" && state.value) {
      // A short text is a value. A long one is read as a document.
      if (LEAVES.has(tag) || state.value.length <= MAX_INLINE) below |= QUIET;
      else delete state.value;
    }
    if (isSaid(element, tag, below)) {
      noteRead(element);
    } else if (!isLeaf(element, tag)) {
      inside(element, tag, depth + 1, below, level);
      flush(depth + 1);
    }
    fold(at);
    if (at === depths.length) return; // the element was empty
    const part = PARTED.has(role) ? partOfRecord(role, at, depths, roles, where) : "";
    if (part) state.part = part;
    if (icons.size && actionable && names[at]) {
      const icon = [...all(element, "[class]")].map((one) => iconWord(one, localName(one))).find((one) => icons.has(one));
      if (icon) state.author = ["class", icon];
    }
    if (id && at === depths.length - 1) {
      const check = role === "generic" ? checkIn(element) : null;
      if (check) state.checked = check.checked;
      const isDrawnShape = isShape(element, tag);
      if ((actionable || isDrawnShape) && !names[at]) addHints(state, element, tag, role);
      if (isDrawnShape && (tag !== "path" || !(names[at] || state.author))) state.svg = shapeWords(element, tag);
    }
    if (isEmpty(state)) states[at] = null;
  };

  // Shows the available description of a control without a name or text: the label in the cell
  // beside it, and its author's word.
  const addHints = (state, element, tag, role) => {
    const isAField = isField(element, tag, role);
    if (isAField && state.near) return;
    const label = isAField ? "" : cellBeside(element);
    if (label) state.near = label;
    const words = authorWords(element, isAField);
    if (words) state.author = words;
  };

  // Whether an element's name already contains all its content, so that it need not be visited.
  const isSaid = (element, tag, below) =>
    element === lastAlone && (below & QUIET) !== 0 && !ownedBy.size && !tag.includes("-");

  // A node with a single text gets this text as its name. An empty node is removed.
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

  const start = only === undefined ? rootOf(document) : only;
  if (start) visit(start, 0, modal ? BEHIND : 0, 0, null);
  flush(0);
  if (modal && !modalRange) visit(modal, 0, 0, 0, null); // the node is in an element that shows only its name
  forgetLabels();
  const outline = arranged({ depths, roles, names, ids, states, where, cut, layers: null }, modal, modalRange, aside);
  return { ...outline, view: view ? inView(outline.depths, outline.where, view === "exact") : [] };
}

function isEmpty(state) {
  for (const _ in state) return false;
  return true;
}
