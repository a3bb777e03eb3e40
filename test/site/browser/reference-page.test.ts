import { expect, test } from 'vitest';
import { describeSiteInBrowser } from '../../support/site/describe-site-in-browser.ts';
import { AFTER_MIDTERMS } from '../../support/site/midterms.ts';

await describeSiteInBrowser('the reference of the API', { now: AFTER_MIDTERMS }, (site) => {
  test('in the reference a button copies the code beside it, all examples get the language of one, and a link unfolds its object', async () => {
    const tab = await site.open();
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
    await tab.close();
  });
});
