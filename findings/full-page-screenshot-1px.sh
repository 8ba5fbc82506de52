#!/bin/sh
# Before a full-page screenshot, the page is laid out for a window of 1 x 1 pixel, and the page can detect this.
#
# Versions: npm puppeteer-core 24.43.1, @sparticuz/chromium 153.0.0 (headless shell)
# Seen: the values of innerWidth x innerHeight, and of an element of 100vh, in the page's resize listener.
#     screenshot()                   nothing
#     screenshot({fullPage: true})   1x1 (element 1 px high), then 800x600 (600 px), with most captures
# Why it is surprising: A screenshot should only read. For a whole page, one might expect a larger window
#     for a moment, as in older versions, but not a smaller window, and `captureBeyondViewport` exists to
#     leave the window unchanged. Some pages close menus or rebuild a table when the window becomes narrow.
#     They do so during the screenshot, so the agent's next click hits something other than the screenshot
#     shows. Playwright's full_page and CDP's Page.captureScreenshot with captureBeyondViewport do the same;
#     a screenshot of the viewport does not.
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
