import { test } from 'vitest';
import { describeSiteInBrowser } from '../../support/site/describe-site-in-browser.ts';
import { AFTER_MIDTERMS } from '../../support/site/midterms.ts';

await describeSiteInBrowser('the reference of the API', { now: AFTER_MIDTERMS }, (site) => {
  test('in the reference a link unfolds its object', async () => {
    const tab = await site.open();
    await tab.show({ width: 1_440, scheme: 'light' });
    await tab.visit('/docs/alerts');
    await tab.page.click('#getAlert a[href="#Alert"]');
    await tab.until(`document.querySelector('details:has(> #Alert)').open`, 'raf');
    await tab.close();
  });
});
