#!/bin/sh
# Puppeteer's locator.fill() types 99 characters as a person would, but sets 100 characters with a script.
#
# Versions: npm puppeteer-core 24.43.1, @sparticuz/chromium 153.0.0
# Seen: `<input maxlength=10>`, and the page's event counts.
#     fill() of  99 characters: the value has  10; 99 trusted keydown, 10 trusted input
#     fill() of 100 characters: the value has 100; no keydown, 1 input and 1 change, neither trusted
# Why it is surprising: One expects a single method of filling. From 100 characters on, Puppeteer sets
#     `value` in a script, for speed, and a script can exceed maxlength. So the value is one that no user
#     could enter (a server may refuse it), a page that counts or formats on keydown receives no event, and
#     a test with short sample text does not cover long text.
# Measured: 2026-11-28
set -eu
. "$(dirname "$0")/prepare.sh"
chromium
npm_packages puppeteer-core@24.43.1
cat >run.mjs <<'JS'
import puppeteer from 'puppeteer-core';

const browser = await puppeteer.launch({
  executablePath: process.env.CHROME,
  args: ['--no-sandbox'],
  headless: 'shell',
});
const page = await browser.newPage();
const seen = [];
for (const length of [99, 100]) {
  await page.setContent('<input maxlength=10>');
  await page.evaluate(() => {
    window.counts = {};
    for (const type of ['keydown', 'input', 'change'])
      addEventListener(type, (event) => {
        const kind = (event.isTrusted ? 'trusted ' : 'made ') + type;
        counts[kind] = (counts[kind] ?? 0) + 1;
      });
  });
  await page.locator('input').fill('x'.repeat(length));
  seen.push(await page.evaluate(() => [document.querySelector('input').value.length, counts]));
  console.log(`fill() of ${length} characters: value of ${seen.at(-1)[0]},`, seen.at(-1)[1]);
}
await browser.close();
const wanted = [
  [10, { 'trusted keydown': 99, 'trusted input': 10 }],
  [100, { 'made input': 1, 'made change': 1 }],
];
process.exit(JSON.stringify(seen) === JSON.stringify(wanted) ? 0 : 1);
JS
node run.mjs
