import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { alertOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { describeSiteInBrowser, type SiteOptions } from '../../support/site/describe-site-in-browser.ts';
import { storeAlerts } from '../../support/stored.ts';

const LONG =
  'Will the candidate of the opposition win the state by more than three points, as certified? '.repeat(3);
const LOST = { payout: 0, won: false, profitUsdc: -44_000 };

const SITE: SiteOptions = {
  now: START + 6 * MINUTE_MS,
  fill: (database) =>
    storeAlerts(
      database,
      alertOf({ id: 1 }),
      alertOf({ id: 2, marketId: '0xm2', resolution: LOST }),
      alertOf({ id: 3, marketId: '0xm3', eventTitle: LONG, outcome: 'The candidate of the opposition' }),
    ),
};

await describeSiteInBrowser('the page of an alert on a phone', SITE, (site) => {
  test('has its market, both links, the bet and its state on the first screen, also with a long question', async () => {
    const tab = await site.open();
    await tab.page.setViewport({ width: 390, height: 844 });
    for (const id of [1, 2, 3]) {
      await tab.visit(`/alerts/${id}`);
      for (const part of ['h1 a', '.out', '.lead', '#result']) {
        const { bottom, height } = await tab.ask<{ readonly bottom: number; readonly height: number }>(
          `document.querySelector('${part}').getBoundingClientRect().toJSON()`,
        );
        expect([id, part, bottom <= 844, height >= 24]).toEqual([id, part, true, true]);
      }
    }
    await tab.close();
  });
});
