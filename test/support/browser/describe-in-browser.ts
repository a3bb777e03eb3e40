import { describe } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { TestBrowser } from './test-browser.ts';

/** A suite that needs a browser. Without one it is skipped by name; with `CI=true` that is a failure. */
export async function describeInBrowser(
  name: string,
  suite: (start: () => Promise<TestBrowser>) => void,
): Promise<void> {
  const found = await findChromium();
  if (!('problem' in found)) return void describe(name, () => suite(() => TestBrowser.start(found)));
  if (process.env['CI'] === 'true') throw new Error(found.problem);
  describe.skip(`${name} (skipped: ${found.problem})`, () => suite(() => Promise.reject(found.problem)));
}
