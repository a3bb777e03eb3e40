import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { candidateOf } from '../../support/alerts.ts';
import { describeInBrowser } from '../../support/browser/describe-in-browser.ts';
import type { Tab } from '../../support/browser/tab.ts';
import type { TestBrowser } from '../../support/browser/test-browser.ts';
import { START } from '../../support/rows.ts';
import {
  type RunningSite,
  type SiteDatabase,
  siteDatabase,
  startSite,
} from '../../support/site/start-site.ts';

/** More than the pause of a browser before it connects again, and the time over which pages spread their reading. */
const LIVE_MS = 30_000;

await describeInBrowser('a page that stays open', (start) => {
  let browser: TestBrowser;
  let database: SiteDatabase;
  let site: RunningSite;
  beforeAll(async () => {
    browser = await start();
    database = await siteDatabase(async () => {});
    site = await startSite({ url: database.url, now: START });
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await site.close();
    await database[Symbol.asyncDispose]();
  });

  async function open(path: string): Promise<Tab> {
    const tab = await browser.open(site.origin);
    const following = tab.page.waitForResponse((response) => new URL(response.url()).pathname === '/live');
    await tab.visit(path);
    await following;
    await tab.page.evaluate('window.isSameDocument = true');
    return tab;
  }
  const shows = (text: string) => `document.body.textContent.includes(${JSON.stringify(text)})`;

  test(
    'shows an alert 301 s after its publication without a reload',
    async () => {
      const question = 'Will the first measure pass?';
      const tab = await open('/');
      await site.publish(candidateOf({ key: 'w:first', eventTitle: question }));
      site.pass(299 * SECOND_MS);
      expect(await tab.page.evaluate(shows(question))).toBe(false);
      site.pass(2 * SECOND_MS);
      await tab.until(`isSameDocument && ${shows(question)}`);
      expect(tab.problems).toEqual([]);
      await tab.close();
    },
    LIVE_MS,
  );

  test(
    'shows what was published while the service was away',
    async () => {
      const question = 'Will the third measure pass?';
      const tab = await open('/');
      await site.publish(candidateOf({ key: 'w:third', eventTitle: question }));
      const [now, port] = [site.now() + 301 * SECOND_MS, Number(new URL(site.origin).port)];
      await site.close();
      site = await startSite({ url: database.url, now, port });
      await tab.until(`isSameDocument && ${shows(question)}`);
      await tab.close();
    },
    LIVE_MS,
  );
});
