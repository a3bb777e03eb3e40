import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../../support/browser/describe-in-browser.ts';
import type { TestBrowser } from '../../support/browser/test-browser.ts';
import { AFTER_MIDTERMS } from '../../support/site/midterms.ts';
import {
  type RunningSite,
  type SiteDatabase,
  siteDatabase,
  startSite,
} from '../../support/site/start-site.ts';

await describeInBrowser('the reference of the API', (start) => {
  let browser: TestBrowser;
  let database: SiteDatabase;
  let site: RunningSite;
  beforeAll(async () => {
    browser = await start();
    database = await siteDatabase(async () => {});
    site = await startSite({ url: database.url, now: AFTER_MIDTERMS });
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await site.close();
    await database[Symbol.asyncDispose]();
  });

  test('in the reference a button copies the code beside it, all examples get the language of one, and a link unfolds its object', async () => {
    const tab = await browser.open(site.origin);
    const rights = ['clipboard-read', 'clipboard-sanitized-write'] as const;
    await tab.page.browserContext().overridePermissions(site.origin, [...rights]);
    await tab.show({ width: 1_440, scheme: 'light' });
    await tab.visit('/docs/alerts');
    await tab.page.click('#searchAlerts [data-language="Python"] summary');
    const open = `[...document.querySelectorAll('details[data-language][open]')].map(({ dataset }) => dataset.language)`;
    expect(await tab.ask(open)).toEqual(Array.from({ length: 4 }, () => 'Python'));
    await tab.page.click('#searchAlerts [open] .copy');
    await tab.until(`document.querySelector('#searchAlerts [open] .copy').textContent === 'Copied'`, 'raf');
    expect(await tab.ask('navigator.clipboard.readText()')).toMatch(/^import os\n.*search_alerts\(/s);
    await tab.page.click('#getAlert a[href="/docs/alerts#Alert"]');
    await tab.until(`document.querySelector('details:has(> #Alert)').open`, 'raf');
    expect(tab.problems).toEqual([]);
    await tab.close();
  });
});
