// End a click that opens a kept dialog. Otherwise the server would wait for the click until the
// dialog is answered, treat the click as failed after 3 s, and click again.

const ORIGINAL = Symbol("tabwarden: the click of Playwright");

export class Clicks {
  #underWay = new Map(); // page -> functions that end its clicks

  // Playwright's locators share one prototype, which we can get only from a page.
  watch(page) {
    const prototype = Object.getPrototypeOf(page.locator("html"));
    if (prototype[ORIGINAL]) return;
    const click = prototype.click;
    prototype[ORIGINAL] = click;
    const clicks = this;
    prototype.click = function (...options) {
      return clicks.#untilDialog(this.page(), click.apply(this, options));
    };
  }

  end(page) {
    for (const done of this.#underWay.get(page) ?? []) done();
  }

  async #untilDialog(page, clicking) {
    const ends = this.#underWay.get(page) ?? new Set();
    this.#underWay.set(page, ends);
    let end;
    const interrupted = new Promise((resolve) => { end = resolve; });
    ends.add(end);
    try {
      await Promise.race([clicking, interrupted]);
    } finally {
      ends.delete(end);
      if (ends.size === 0) this.#underWay.delete(page);
    }
  }
}
