// Page text for a reply: on one line, and cut to a length.

// Puts page text on one line, with white space collapsed and lone surrogates replaced.
export function squash(text, most = MAX_READ) {
  if (text.length > most) return `${squash(text.slice(0, most), most)}…`;
  return text.length < SOON_READ && (text === "" || IS_ONE_LINE.test(text))
    ? text
    : text.replace(/\s+/g, " ").trim().toWellFormed();
}

const IS_ONE_LINE = /^[!-~]+(?: [!-~]+)*$/;
const SOON_READ = 10_000; // a longer text would overflow the regular expression's stack
// Names are cut to much less, and nobody reads a text that reaches the second limit.
const MAX_READ = 100_000;
export const MAX_TEXT = 2_000_000;

// Returns a test of whether some text, however long, has these words in any case, with any white space
// between them.
export function holding(words) {
  const parts = squash(words).split(" ").map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const pattern = new RegExp(parts.join("\\s+"), "iu");
  return (some) => typeof some === "string" && pattern.test(some);
}

// Cuts text between two characters as people see them, so that combining marks and joined emoji
// stay intact. A page with piles of marks can't prevent the cut.
export const MAX_NAME = 500;
const MAX_PILE = 40;
const seenCharacters = new Intl.Segmenter();

export function cutTo(text, most) {
  if (text.length <= most) return text;
  const from = Math.max(0, most - 2 * MAX_PILE);
  const near = seenCharacters.segment(text.slice(from, most + MAX_PILE));
  const at = from + near.containing(most - 1 - from).index;
  return `${text.slice(0, most - 1 - at > MAX_PILE ? most - 1 : at)}…`.toWellFormed();
}
