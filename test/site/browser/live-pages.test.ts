import { expect, test } from 'vitest';
import { exitOf } from '../../support/alerts.ts';
import { CHARTED, facts } from './filled-with-alerts.ts';
import { describeReading, PILL, ROW, SEEN, VISIBLE_MS } from './reading.ts';

/** Texts below the pill. */
const COVERED = `(() => {
  const pill = ${PILL}.getBoundingClientRect();
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const covered = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(text);
    const isBelow = ({ left, top, right, bottom }) =>
      left < pill.right && right > pill.left && top < pill.bottom && bottom > pill.top;
    const { parentElement: parent } = text;
    if (parent.checkVisibility() && !parent.closest('[role="status"], .hidden') && [...range.getClientRects()].some(isBelow))
      covered.push(text.data);
  }
  return covered;
})()`;
const SELECTED = 'getSelection().toString()';

await describeReading('a page that changes while it is read', (reading) => {
  const { site, ask } = reading;
  let exits = 0;

  const isListed = async (id: number) =>
    (await (await fetch(site.origin)).text()).includes(`id="alert-${id}-row"`);

  /** To a row below others. */
  async function scrollTo(id: number): Promise<unknown> {
    await ask(`new Promise((resolve) => {
      addEventListener('scrollend', resolve, { once: true });
      ${ROW(id)}.scrollIntoView({ block: 'center' });
    })`);
    return ask(SEEN);
  }

  const select = (id: number) => ask(`getSelection().selectAllChildren(${ROW(id)}.querySelector('.market'))`);

  /** Back or forward, which is no navigation where the browser has kept the page. */
  async function go(steps: number, path: string): Promise<void> {
    await reading.tab.page.evaluate(`setTimeout(() => history.go(${steps}))`);
    await expect.poll(() => reading.tab.page.url()).toBe(site.origin + path);
    await expect.poll(() => reading.tab.page.evaluate('document.readyState')).toBe('complete');
  }

  test.for([390, 1_440])(
    '20 alerts that arrive while a reader is further down move nothing by a pixel, keep the selection and wait in a pill, at %i px',
    async (width) => {
      await reading.open('/', width);
      const [newest] = await ask<readonly string[]>('probe.texts("article .market")');
      const read = reading.published - 9;
      const before = await scrollTo(read);
      await reading.publish(5);
      await reading.tab.until(`${PILL}?.textContent === '5 new alerts'`);
      expect(await ask(SEEN)).toEqual(before);
      await select(read);
      await reading.publish(15);
      await reading.tab.until(`${PILL}?.textContent === '20 new alerts'`);
      expect(await ask(SEEN)).toEqual(before);
      expect(await ask(SELECTED)).toBe(`Will measure ${read} pass in the next session?`);
      expect(await reading.tab.page.title()).toMatch(/^\(20\) Tipoff/);
      expect(await ask('probe.shift()')).toBe(0);
      expect((await ask<readonly string[]>('probe.texts("article .market")'))[0]).toBe(newest);
      await reading.clickPill();
      const listed = await ask<readonly string[]>('probe.texts("article .market")');
      expect([listed[0], listed[20]]).toEqual([
        `Will measure ${reading.published} pass in the next session?`,
        newest,
      ]);
      expect(await ask(`${PILL} === null && !document.title.startsWith('(')`)).toBe(true);
    },
  );

  test.for([390, 1_440])(
    'a sale and a settlement change their rows in place, also rows that waiting alerts pushed to the next page, at %i px',
    async (width) => {
      await reading.open('/', width);
      const [read, sold, settled] = [reading.published - 5, reading.published - 6, reading.published - 7];
      const before = await scrollTo(read);
      await select(read);
      await reading.publish(20);
      await reading.tab.until(`${PILL}?.textContent === '20 new alerts'`);
      await ask(`window.shown = [${ROW(settled)}, ${ROW(settled)}.querySelector('.trade a')]`);
      const at = site.now() - VISIBLE_MS;
      exits += 1;
      const exit = exitOf({ number: exits, ...facts(sold), createdAt: at, threadId: sold, alertIds: [sold] });
      await site.sell(exit);
      await reading.tab.until(`${ROW(sold)}.querySelector('.notes')?.textContent === 'sold 60 % at 71¢'`);
      await reading.settle(settled);
      await reading.tab.until(`${ROW(settled)}.querySelector('.price').textContent.includes('Right')`);
      expect(await ask(SEEN)).toEqual(before);
      expect(await ask(SELECTED)).toBe(`Will measure ${read} pass in the next session?`);
      expect(await ask('shown.every((node) => node.isConnected)')).toBe(true);
      expect(await ask(`${PILL}.textContent`)).toBe('20 new alerts');
      expect(await ask(`probe.shift(${ROW(settled)})`)).toBe(0);
    },
  );

  test.for([320, 390, 1_440])(
    'the pill is beside text, not over it, and Enter leads to the newest alert, at %i px',
    async (width) => {
      for (const path of ['/', '/?sort=strongest']) {
        await reading.open(path, width);
        await reading.publish(1);
        await reading.tab.until(`${PILL}?.textContent === '1 new alert'`);
        expect(await reading.tab.examine(width === 390), path).toEqual([]);
        expect(await ask(COVERED), path).toEqual([]);
        expect(await ask('probe.shift()'), path).toBe(0);
        await reading.tab.page.focus('[role="status"] button');
        await reading.tab.page.keyboard.press('Enter');
        expect(await ask(`${ROW(reading.published)} !== null`), path).toBe(true);
        expect(await ask('document.activeElement === document.querySelector("article a")'), path).toBe(true);
      }
    },
  );

  test('back and forward lead to the row that was read, also after the pill was used, and on a page that begins with the alerts that waited', async () => {
    const session = await reading.tab.page.createCDPSession();
    const reasons: unknown[] = [];
    session.on('Page.backForwardCacheNotUsed', (event) => reasons.push(...event.notRestoredExplanations));
    await session.send('Page.enable');
    await reading.open('/');
    await reading.publish(3);
    await reading.tab.until(`${PILL}?.textContent === '3 new alerts'`);
    await reading.clickPill();
    const read = reading.published - 12;
    const top = `${ROW(read)}.getBoundingClientRect().top`;
    await scrollTo(read);
    const before = await ask(top);
    await reading.publish(4);
    await reading.tab.until(`${PILL}?.textContent === '4 new alerts'`);
    await Promise.all([reading.tab.page.waitForNavigation(), reading.tab.page.click(`#alert-${read}-row a`)]);
    await go(-1, '/');
    expect(await ask(`${ROW(reading.published)} !== null`)).toBe(true);
    expect(await ask(top)).toBe(before);
    await go(1, `/alerts/${read}`);
    await go(-1, '/');
    expect(await ask(top)).toBe(before);
    // This browser keeps no pages, but nothing of ours is a reason.
    expect(reasons).not.toEqual([]);
    expect(reasons.filter((reason) => (reason as { type: string }).type !== 'Circumstantial')).toEqual([]);
  });

  test('a page that the browser has kept for the way back is left as it was, and follows the service again', async () => {
    await reading.open('/');
    const before = await scrollTo(reading.published - 12);
    await ask(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
    await reading.publish(2);
    await expect.poll(() => isListed(reading.published)).toBe(true);
    expect(await ask(`${PILL} === null`)).toBe(true);
    await ask(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await reading.tab.until(`${PILL}?.textContent === '2 new alerts'`);
    expect(await ask(SEEN)).toEqual(before);
  });

  test.for([390, 1_440])(
    'new markets and positions wait above their lists too, and a market that is settled names its winner in place, at %i px',
    async (width) => {
      await reading.open('/markets?sort=usdc', width);
      const first = await ask<string>(`document.querySelector('.market-row').id`);
      const before = await ask(SEEN);
      await reading.publish(2, { usdc: width * 1_000 });
      await reading.tab.until(`${PILL}?.textContent === '2 new markets'`);
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
      await reading.open(`/wallets/${wallet}`, width);
      const positions = await ask(SEEN);
      await reading.publish(1, { wallet });
      await reading.tab.until(`${PILL}?.textContent === '1 new position'`);
      expect(await ask(SEEN)).toEqual(positions);
      await reading.clickPill();
      expect(await ask(`probe.texts('.position h3')[0]`)).toContain(`measure ${reading.published} `);
    },
  );

  test('a chart that shows the price of a point is kept while its page changes, and made again afterwards', async () => {
    await reading.open(`/markets/${facts(CHARTED).eventSlug}`);
    const chart = 'document.querySelector("price-chart")';
    const readout = `${chart}.querySelector('.readout').textContent`;
    await reading.tab.page.focus('price-chart input');
    await reading.tab.page.keyboard.press('Home');
    const shown = await ask<string>(readout);
    await ask(`window.shown = ${chart}`);
    await reading.publish(1, { ...facts(CHARTED), wallet: facts(1_000).wallet });
    await reading.tab.until(`document.querySelector('#state').textContent.includes('2 bets')`);
    expect(await ask(`[shown.isConnected, ${readout}]`)).toEqual([true, shown]);
    await ask('document.activeElement.blur()');
    await reading.publish(1, { ...facts(CHARTED), wallet: facts(1_001).wallet });
    await reading.tab.until(
      `${chart}.querySelector('[data-ids~="${reading.published}"], [href$="/${reading.published}"]') !== null`,
    );
    expect(await ask('shown.isConnected')).toBe(false);
  });

  test('a link that has the focus keeps it when a row comes above it', async () => {
    await reading.open(`/markets/${facts(CHARTED).eventSlug}`);
    const [first, second] = [CHARTED, 2_000].map((id) => `#tables [href="/wallets/${facts(id).wallet}"]`);
    await ask(`document.querySelector('${first}').focus()`);
    // What it would move is below the window.
    await ask(`document.querySelector('${first}').scrollIntoView({ block: 'end' })`);
    await reading.publish(1, { ...facts(CHARTED), wallet: facts(2_000).wallet, usdc: 1_000_000 });
    await reading.tab.until(`document.querySelector('${second}') !== null`);
    expect(await ask(`document.activeElement.matches('${first}')`)).toBe(true);
  });
});
