import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import puppeteer, { type Browser } from 'puppeteer-core';
import type { FoundChromium } from './find-chromium.ts';
import { Tab } from './tab.ts';

const ARGUMENTS = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--font-render-hinting=none',
  '--lang=en-US',
];
const SCRIPTS = {
  axe: readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
  probe: readFileSync(new URL('./probe.js', import.meta.url), 'utf8'),
};

/** A real browser. Its processes end with the one that started it. */
export class TestBrowser implements AsyncDisposable {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start({ path, env }: Exclude<FoundChromium, { problem: string }>): Promise<TestBrowser> {
    const browser = await puppeteer.launch({
      executablePath: path,
      args: ARGUMENTS,
      // Without a language of the host scripts meet one that is none: `en-US@posix`.
      env: { ...process.env, LC_ALL: 'en_US.UTF-8', ...env },
      headless: 'shell',
      pipe: true,
    });
    return new TestBrowser(browser);
  }

  /** A tab with an empty cache of its own. `origin`: requests elsewhere are problems. */
  async open(origin: string, { hasScripts = true }: { hasScripts?: boolean } = {}): Promise<Tab> {
    const context = await this.#browser.createBrowserContext();
    const page = await context.newPage();
    await page.setJavaScriptEnabled(hasScripts);
    return new Tab(page, { origin, ...SCRIPTS });
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
