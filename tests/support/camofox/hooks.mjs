// Loaded before Camofox's server (node --import): it launches a stock browser in place of Camoufox,
// whose binary is 700 MB and on GitHub only. The server itself stays unmodified.
//
// CAMOFOX_TEST_ENGINE: "chromium" or "firefox"; CAMOFOX_TEST_EXECUTABLE: the browser's path.
import module, { createRequire } from 'node:module';
import { realpathSync } from 'node:fs';

const STUB = `
export const launchOptions = async (options) => ({ headless: options.headless });
export const Camoufox = undefined;
export class VirtualDisplay {
  get() { throw new Error('no virtual display in tests'); }
  kill() {}
}
`;
const ADDRESS = 'tabwarden-tests:camoufox-js';

module.registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('camoufox-js') ? { url: ADDRESS, shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url === ADDRESS ? { format: 'module', source: STUB, shortCircuit: true } : next(url, context),
});

const playwright = createRequire(realpathSync(process.argv[1]))('playwright-core');
const { CAMOFOX_TEST_ENGINE: engine, CAMOFOX_TEST_EXECUTABLE: executablePath } = process.env;
const launchFirefox = playwright.firefox.launch.bind(playwright.firefox);
const root = process.getuid?.() === 0;

playwright.firefox.launch = async ({ args: _args, ...options }) => {
  const own = { ...options, executablePath, headless: true };
  if (engine === 'chromium') {
    return playwright.chromium.launch({ ...own, args: root ? ['--no-sandbox'] : [] });
  }
  const browser = await launchFirefox({ ...own, channel: 'moz-firefox' });
  const newContext = browser.newContext.bind(browser);
  // Firefox's WebDriver BiDi has no command for these, and Playwright sends them by default.
  const media = { colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null };
  browser.newContext = (given) => newContext({ ...given, ...media });
  return browser;
};
