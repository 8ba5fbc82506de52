// The addresses of links and pictures in a page's text.

import { withoutLogin } from "../accessibility/states.js";

// The origin for which links are paths, or "".
let linksFrom = "";
export const beginLinks = (home) => (linksFrom = home);

// Returns a URL if a browser can open it; else "".
export function address(given) {
  if (given === null) return "";
  try {
    const url = new URL(given, document.baseURI);
    if (!/^(https?|mailto|tel):$/.test(url.protocol) || url.href.length > 2000) return "";
    const told = withoutLogin(url.href);
    return linksFrom && told.startsWith(`${linksFrom}/`) ? told.slice(linksFrom.length) : told;
  } catch {
    return "";
  }
}
