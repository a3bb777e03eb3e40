import { describe } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { TestBrowser } from './test-browser.ts';

/** A suite that starts a browser. On a host for which there is none it is skipped by name; with `CI=true` that is a failure. */
export async function describeInBrowser(
  name: string,
  suite: (start: () => Promise<TestBrowser>) => void,
): Promise<void> {
  const found = await findChromium();
  if (!('problem' in found)) return void describe(name, () => suite(() => TestBrowser.start(found)));
  const { problem } = found;
  if (process.env['CI'] === 'true') throw new Error(problem);
  describe.skip(`${name} (skipped: ${problem})`, () => suite(() => Promise.reject(new Error(problem))));
}
