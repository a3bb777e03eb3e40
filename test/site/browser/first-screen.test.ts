import { expect, test } from 'vitest';
import { describeSiteInBrowser, type SiteOptions } from '../../support/site/describe-site-in-browser.ts';
import { AFTER_MIDTERMS, playMidterms } from '../../support/site/midterms.ts';

/** Of the first page with all that it loads, as sent. */
const FIRST_PAGE_BYTES = 14_000;
const FIRST_PAGE_REQUESTS = 4;
/** A window, the bets that are whole in it, and the height of a row at the most. */
const FIRST_SCREENS = [
  [390, 844, 5, 150],
  [760, 900, 8, 90],
  [1_440, 900, 10, 90],
] as const;
const FIRST_BET_TOP = 210;

/** A replay: its notice takes a line. */
const SITE: SiteOptions = {
  now: AFTER_MIDTERMS,
  settings: { MARKET_SOURCE: 'replay:data/tapes/midterms-2022.jsonl.gz', REPLAY_SPEED: '1200' },
  fill: playMidterms,
};

await describeSiteInBrowser('the first screen of the site', SITE, (site) => {
  test('the first screen is the list: five whole bets on a phone, from 210 px on, ten on a desktop, with no text over another or cut beside free space', async () => {
    const tab = await site.open();
    for (const [width, height, least, rowHeight] of FIRST_SCREENS) {
      await tab.page.setViewport({ width, height });
      await tab.visit('/');
      const rows = await tab.ask<readonly { top: number; bottom: number; height: number }[]>(
        `[...document.querySelectorAll('.alerts article')].map((row) => row.getBoundingClientRect().toJSON())`,
      );
      expect(await tab.ask(`document.querySelector('.notice').textContent`)).toBe(
        'Replay of 2022, 1,200 times faster. Not live.',
      );
      expect(rows[0]?.top, `${width} px`).toBeLessThanOrEqual(FIRST_BET_TOP);
      expect(rows.filter(({ bottom }) => bottom <= height).length, `${width} px`).toBeGreaterThanOrEqual(
        least,
      );
      expect(Math.max(...rows.map((row) => row.height)), `${width} px`).toBeLessThanOrEqual(rowHeight);
      expect(await tab.ask('probe.rows()'), `${width} px`).toEqual([]);
    }
    await tab.close();
  });

  test('the header and the head of the list are one line each, on the smallest phone, too', async () => {
    const tab = await site.open();
    for (const width of [320, 390]) {
      await tab.show({ width, scheme: 'light' });
      await tab.visit('/?sort=ending');
      for (const links of ['header.site :is(a, summary)', '.list-head :is(.sorts a, summary)']) {
        const bottoms = `[...document.querySelectorAll('${links}')].map((link) => Math.round(link.getBoundingClientRect().bottom))`;
        expect(new Set(await tab.ask<readonly number[]>(bottoms)).size, `${links}, ${width} px`).toBe(1);
      }
    }
    await tab.close();
  });

  test('what became of a bet never breaks the line of the bet itself on a tablet', async () => {
    const tab = await site.open();
    await tab.show({ width: 760, scheme: 'light' });
    await tab.visit('/?resolved=true&sort=newest');
    const [words, heights] = await tab.ask<readonly [readonly string[], readonly number[]]>(
      `[probe.texts('.price'), [...document.querySelectorAll('.trade')].map((line) => line.clientHeight)]`,
    );
    expect(words.join()).toContain('nothing was held');
    expect(Math.max(...heights)).toBe(24);
    await tab.close();
  });

  test('the search of the header unfolds and leads to what was typed, without scripts', async () => {
    const tab = await site.open({ hasScripts: false });
    await tab.show({ width: 390, scheme: 'light' });
    await tab.visit('/');
    await tab.page.click('.find summary');
    await tab.page.type('.find input', '#100');
    await Promise.all([tab.page.waitForNavigation(), tab.page.keyboard.press('Enter')]);
    expect(tab.page.url()).toBe(`${site.origin}/alerts/100`);
    await tab.close();
  });

  test('the first page has under 14 kB with all that it loads, in four requests', async () => {
    const tab = await site.open();
    const receivedBytes = await tab.countBytes();
    const requests: string[] = [];
    tab.page.on('request', (request) => void requests.push(new URL(request.url()).pathname));
    await tab.visit('/');
    expect(requests).toHaveLength(FIRST_PAGE_REQUESTS);
    expect(receivedBytes()).toBeLessThan(FIRST_PAGE_BYTES);
    await tab.close();
  });
});
