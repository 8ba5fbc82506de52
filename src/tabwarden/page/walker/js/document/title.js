// The document's title.

import { titleOf } from "../dom/natives.js";

// The longest title that a browser shows.
const MAX_TITLE = 4096;
export const titleNow = () => titleOf(document).slice(0, MAX_TITLE).toWellFormed();
