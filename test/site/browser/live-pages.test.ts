import { expect, test } from 'vitest';
import { exitOf } from '../../support/alerts.ts';
import { CHARTED, facts } from './filled-with-alerts.ts';
import { describeReading, IS_WON, NEWEST, PILL, ROW, SEEN, VISIBLE_MS } from './reading.ts';

/** Links below the pill, but for the edge of the header's; and texts that it covers by more than their leading. */
const COVERED = `(() => {
  const pill = ${PILL}.getBoundingClientRect();
  const depth = ({ left, top, right, bottom }) =>
    left < pill.right && right > pill.left ? Math.min(pill.bottom - top, bottom - pill.top) : 0;
  return [...document.querySelectorAll('a, h1, p')]
    .filter((element) => element.checkVisibility() && depth(element.getBoundingClientRect()) > 10)
    .filter((element) => !element.matches('.news, .hidden'))
    .map(({ outerHTML }) => outerHTML.slice(0, 80));
})()`;
/** How far contents were moved, the pill left out. */
const SHIFT = `probe.shift(document.querySelector('.news'))`;
const SELECTED = 'getSelection().toString()';

await describeReading('a page that changes while it is read', (reading) => {
  const { site, ask } = reading;
  let exits = 0;

  /** To a row below others. */
  async function scrollTo(id: number): Promise<unknown> {
    await ask(`new Promise((resolve) => {
      addEventListener('scrollend', resolve, { once: true });
      ${ROW(id)}.scrollIntoView({ block: 'center' });
    })`);
    return ask(SEEN);
  }

  const select = (id: number) => ask(`getSelection().selectAllChildren(${ROW(id)}.querySelector('.market'))`);

  /** Which is no navigation where the browser has kept the page. */
  async function goBack(path: string): Promise<void> {
    await reading.tab.page.evaluate('setTimeout(() => history.back())');
    await expect.poll(() => reading.tab.page.url()).toBe(site.origin + path);
    await expect.poll(() => reading.tab.page.evaluate('document.readyState')).toBe('complete');
  }

  test('20 alerts that arrive while a reader is further down move nothing by a pixel, keep the selection and wait in a pill', async () => {
    await reading.open(NEWEST);
    const [newest] = await ask<readonly string[]>('probe.texts("article .market")');
    const read = reading.published - 9;
    const before = await scrollTo(read);
    await reading.publish(5);
    await reading.tab.until(`${PILL}?.textContent === 'Show 5 new'`);
    expect(await ask(SEEN)).toEqual(before);
    await select(read);
    await reading.publish(15);
    await reading.tab.until(`${PILL}?.textContent === 'Show 20 new'`);
    expect(await ask(SEEN)).toEqual(before);
    expect(await ask(SELECTED)).toBe(`Will measure ${read} pass in the next session?`);
    expect(await reading.tab.page.title()).toMatch(/^\(20\) /);
    expect(await ask(SHIFT)).toBe(0);
    expect((await ask<readonly string[]>('probe.texts("article .market")'))[0]).toBe(newest);
    await reading.clickPill();
    const listed = await ask<readonly string[]>('probe.texts("article .market")');
    expect([listed[0], listed[20]]).toEqual([
      `Will measure ${reading.published} pass in the next session?`,
      newest,
    ]);
    expect(await ask(`${PILL} === null && !document.title.startsWith('(')`)).toBe(true);
  });

  test.for([390, 1_440])(
    'a sale and a settlement change their rows at once, or in a pill where that would move something, at %i px',
    async (width) => {
      await reading.open(NEWEST, width);
      const [read, sold, settled] = [reading.published - 5, reading.published - 6, reading.published - 7];
      const before = await scrollTo(read);
      await select(read);
      exits += 1;
      const at = site.now() - VISIBLE_MS;
      const exit = exitOf({ number: exits, ...facts(sold), createdAt: at, threadId: sold, alertIds: [sold] });
      await site.sell(exit);
      await reading.settle(settled);
      const isShown = `/sold 60%/i.test(${ROW(sold)}.textContent) && ${IS_WON(settled)}`;
      await reading.tab.until(`${isShown} || ${PILL}?.textContent === 'Show what changed'`);
      expect(await ask(SEEN)).toEqual(before);
      expect(await ask(SELECTED)).toBe(`Will measure ${read} pass in the next session?`);
      expect(await ask(`probe.shift(${ROW(settled)})`)).toBe(0);
      if (await ask(`${PILL} !== null`)) await reading.clickPill();
      expect(await ask(`${isShown} && ${PILL} === null`)).toBe(true);
    },
  );

  test.for([320, 1_440])(
    'the pill is below the header, covers no link and no text, and Enter leads to the first new alert, at %i px',
    async (width) => {
      for (const path of [NEWEST, '/markets?sort=usdc']) {
        await reading.open(path, width);
        await reading.publish(1, { usdc: 50_000 + reading.published });
        await reading.tab.until(`${PILL}?.textContent === 'Show 1 new'`);
        expect(await reading.tab.examine(width === 320), path).toEqual([]);
        expect(await ask(COVERED), path).toEqual([]);
        expect(await ask(SHIFT), path).toBe(0);
        await reading.tab.page.focus('.news button');
        await reading.tab.page.keyboard.press('Enter');
        const focused = await ask<string>(`document.activeElement.closest('[data-live="row"]').textContent`);
        expect(focused, path).toContain(`measure ${reading.published} `);
      }
    },
  );

  test('a reader who is further down sees the pill at the top edge of the window, and what is new after it', async () => {
    await reading.open(NEWEST);
    await scrollTo(reading.published - 14);
    await reading.publish(2);
    await reading.tab.until(`${PILL}?.textContent === 'Show 2 new'`);
    const { top, height } = await ask<{ top: number; height: number }>(
      `${PILL}.getBoundingClientRect().toJSON()`,
    );
    expect([top >= 0, top < 40, height >= 24]).toEqual([true, true, true]);
    await reading.clickPill();
    const newest = `${ROW(reading.published)}.getBoundingClientRect()`;
    expect(await ask(`${newest}.top >= 0 && ${newest}.bottom <= innerHeight`)).toBe(true);
  });

  test('a page that was followed can be kept by the browser for the way back', async () => {
    const session = await reading.tab.page.createCDPSession();
    const reasons: unknown[] = [];
    session.on('Page.backForwardCacheNotUsed', (event) => reasons.push(...event.notRestoredExplanations));
    await session.send('Page.enable');
    await reading.open(NEWEST);
    const { tab, published } = reading;
    await Promise.all([tab.page.waitForNavigation(), tab.page.click(`#alert-${published}-row a`)]);
    await goBack(NEWEST);
    // This browser keeps no pages, but nothing of ours is a reason.
    expect(reasons).not.toEqual([]);
    expect(reasons.filter((reason) => (reason as { type: string }).type !== 'Circumstantial')).toEqual([]);
  });

  test('new markets and bets of a wallet wait above their lists too, and a market that is settled names its winner in place', async () => {
    await reading.open('/markets?sort=usdc');
    const first = await ask<string>(`document.querySelector('.market-row').id`);
    const before = await ask(SEEN);
    await reading.publish(2, { usdc: 1_000_000 });
    await reading.tab.until(`${PILL}?.textContent === 'Show 2 new'`);
    await reading.settle(Number(/\d+$/.exec(first)?.[0]));
    await reading.tab.until(`document.getElementById('${first}').textContent.includes('Yes won')`);
    expect(await ask(SEEN)).toEqual(before);
    await reading.clickPill();
    const top = await ask<readonly string[]>(
      `[...document.querySelectorAll('.market-row')].map(({ id }) => id)`,
    );
    expect(top.slice(0, 2).toSorted()).toEqual(
      [reading.published - 1, reading.published].map((id) => `market-0xm${id}`),
    );

    const { wallet } = facts(reading.published);
    await reading.open(`/wallets/${wallet}`);
    const positions = await ask(SEEN);
    await reading.publish(1, { wallet });
    await reading.tab.until(`${PILL}?.textContent === 'Show 1 new'`);
    expect(await ask(SEEN)).toEqual(positions);
    await reading.clickPill();
    expect(await ask(`probe.texts('article .market')[0]`)).toContain(`measure ${reading.published} `);
  });

  test('a chart that shows the price of a point is kept while its page changes, and made again afterwards', async () => {
    await reading.open(`/markets/${facts(CHARTED).eventSlug}`);
    const chart = 'document.querySelector("price-chart")';
    const readout = `${chart}.querySelector('.readout').textContent`;
    await reading.tab.page.hover('price-chart .picture');
    const shown = await ask<string>(readout);
    await ask(`window.shown = ${chart}`);
    await reading.publish(1, { ...facts(CHARTED), wallet: facts(1_000).wallet });
    await reading.tab.until(`${PILL}?.textContent === 'Show 1 new'`);
    expect(await ask(`[shown.isConnected, ${readout}]`)).toEqual([true, shown]);
    await reading.tab.page.hover('h1');
    await reading.publish(1, { ...facts(CHARTED), wallet: facts(1_001).wallet });
    await reading.tab.until(`${chart} !== shown && ${chart}.querySelector('.mark') !== null`);
    expect(await ask('shown.isConnected')).toBe(false);
  });

  test('a link that has the focus keeps it when its row changes', async () => {
    await reading.publish(1);
    await reading.open(NEWEST);
    const { published } = reading;
    await ask(`${ROW(published)}.querySelector('.trade a').focus()`);
    await reading.settle(published);
    await reading.tab.until(IS_WON(published));
    expect(await ask(`document.activeElement === ${ROW(published)}.querySelector('.trade a')`)).toBe(true);
  });
});
