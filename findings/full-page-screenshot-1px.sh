#!/bin/sh
# A full-page screenshot lays the page out for a window of 1 x 1 pixel first, and the page notices.
#
# Versions: npm puppeteer-core 24.43.1, @sparticuz/chromium 153.0.0 (headless shell)
# Seen: what the page's resize listener saw of innerWidth x innerHeight, and of an element of 100vh.
#     screenshot()                   nothing
#     screenshot({fullPage: true})   1x1 (element 1 px high), then 800x600 (600 px), with most captures
# Why a good guess is wrong: a screenshot reads. For the whole page one might expect a larger window for a
#     moment, as older versions had, but not a smaller one, and `captureBeyondViewport` exists to leave the
#     window alone. Pages that close menus or rebuild a table when the window narrows do so, under the agent's
#     hands: what it then clicks is not what the picture shows. Playwright's full_page and CDP's
#     Page.captureScreenshot with captureBeyondViewport do the same; a screenshot of the viewport does not.
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
await page.setContent(`<!doctype html><body style="margin:0">
  <div id=one style="height:100vh"></div>${'<p>some text to lay out</p>'.repeat(300)}<script>
  sizes = []
  addEventListener('resize', () => sizes.push(innerWidth + 'x' + innerHeight + ' (' + one.offsetHeight + ' px)'))
  </script>`);
const sizesDuring = async (options) => {
  await page.evaluate(() => new Promise((done) => setTimeout(done, 100))); // at rest, before and after
  await page.screenshot(options);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  return page.evaluate(() => sizes.splice(0));
};
let narrow = 0;
for (let n = 0; n < 10; n++) {
  const sizes = await sizesDuring({ fullPage: true });
  console.log('screenshot({fullPage: true}):', sizes);
  narrow += sizes.includes('1x1 (1 px)');
}
const ofViewport = (await sizesDuring({})).concat(await sizesDuring({}));
console.log('screenshot():', ofViewport);
await browser.close();
process.exit(ofViewport.length === 0 && narrow > 0 ? 0 : 1);
JS
node run.mjs
