import { beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { candidateOf, exitOf } from '../../support/alerts.ts';
import type { Tab } from '../../support/browser/tab.ts';
import { START } from '../../support/rows.ts';
import { describeSiteInBrowser } from '../../support/site/describe-site-in-browser.ts';
import { ALERTS, CHARTED, facts, fillWithAlerts } from './filled-with-alerts.ts';

const VISIBLE_MS = 5 * MINUTE_MS + 1;

const ROW = (id: number) => `document.getElementById('alert-${id}-row')`;
const PILL = `document.querySelector('[role="status"] button')`;
/** What a reader sees: how far the page is scrolled, and where each row is. */
const SEEN = `[scrollY, ...[...document.querySelectorAll('article, h3, .market-row')].map((row) => {
  const { left, top, right, bottom } = row.getBoundingClientRect();
  return [row.id, left, top, right, bottom].join();
})]`;
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

const SITE = { now: START + 6 * MINUTE_MS, fill: fillWithAlerts };

await describeSiteInBrowser('a page that changes while it is read', SITE, (site) => {
  let tab: Tab;
  let published = ALERTS;
  let exits = 0;
  beforeAll(async () => {
    tab = await site.open();
    // Pages read themselves again at once, and write their ages a hundred times as often.
    await tab.page.evaluateOnNewDocument(`
      Math.random = () => 0;
      const setSlowInterval = setInterval;
      setInterval = (work, ms) => setSlowInterval(work, ms / 100);`);
  }, 120_000);

  async function open(path: string, width = 390): Promise<void> {
    await tab.show({ width, scheme: 'light' });
    // The page before must not be one that reads.
    await tab.page.goto('about:blank');
    const read = tab.page.waitForResponse(
      (response) => response.url() === site.origin + path && response.request().resourceType() === 'fetch',
    );
    await tab.visit(path);
    await (await read).buffer();
  }

  /** As the newest ones that readers without a key see. */
  async function publish(count: number, given: object = {}): Promise<void> {
    for (let alert = 0; alert < count; alert++) {
      published += 1;
      await site.publish(candidateOf({ key: `w:${published}`, ...facts(published), ...given }));
    }
    await site.pass(VISIBLE_MS);
  }

  /** What puts an alert at the top of every order. */
  function outstanding() {
    const { details } = candidateOf({ key: '' });
    const usdc = 1_000_000 * published;
    return { score: 100, usdc, details: { ...details, marketTotalBought: usdc, toWinUsdc: usdc } };
  }

  const isListed = async (id: number) =>
    (await (await fetch(site.origin)).text()).includes(`id="alert-${id}-row"`);

  const settle = (id: number) => site.settle({ id: `0xm${id}`, outcomes: ['Yes', 'No'], payouts: [1, 0] });
  const ask = <Result>(expression: string) => tab.ask<Result>(expression);

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
    await tab.page.evaluate(`setTimeout(() => history.go(${steps}))`);
    await expect.poll(() => tab.page.url()).toBe(site.origin + path);
    await expect.poll(() => tab.page.evaluate('document.readyState')).toBe('complete');
  }

  test('alerts of now, an hour and a week ago have their ages, which go on, also in a row that changes', async () => {
    const agesOf = (...ids: number[]) =>
      `[${ids.map(ROW)}].map((row) => row.querySelector('time').textContent).join()`;
    const ids = [ALERTS, ALERTS - 10, ALERTS - 20] as const;
    await open('/');
    const [moment, hour, week] = (await ask<string>(agesOf(...ids))).split(',');
    expect([moment, hour]).toEqual(['5 min ago', '1 h ago']);
    expect(week).toMatch(/^\d\d:\d\d UTC$/);
    await site.pass(2 * MINUTE_MS);
    await tab.until(`${agesOf(ALERTS)} === '7 min ago'`);
    await publish(1);
    await tab.until(`${PILL}?.textContent === '1 new alert'`);
    for (const id of ids) {
      await settle(id);
      await tab.until(`${ROW(id)}.querySelector('.price').textContent.includes('Right')`);
    }
    expect(await ask(agesOf(...ids))).toBe(`12 min ago,1 h ago,${week}`);
    await tab.page.click('[role="status"] button');
    expect(await ask(agesOf(published, ALERTS))).toBe('5 min ago,12 min ago');
  });

  test.for([390, 1_440])(
    '20 alerts that arrive while a reader is further down move nothing by a pixel, keep the selection and wait in a pill, at %i px',
    async (width) => {
      await open('/', width);
      const [newest] = await ask<readonly string[]>('probe.texts("article .market")');
      const read = published - 9;
      const before = await scrollTo(read);
      await publish(5);
      await tab.until(`${PILL}?.textContent === '5 new alerts'`);
      expect(await ask(SEEN)).toEqual(before);
      await select(read);
      await publish(15);
      await tab.until(`${PILL}?.textContent === '20 new alerts'`);
      expect(await ask(SEEN)).toEqual(before);
      expect(await ask(SELECTED)).toBe(`Will measure ${read} pass in the next session?`);
      expect(await tab.page.title()).toMatch(/^\(20\) Tipoff/);
      expect(await ask('probe.shift()')).toBe(0);
      expect((await ask<readonly string[]>('probe.texts("article .market")'))[0]).toBe(newest);
      await tab.page.click('[role="status"] button');
      const listed = await ask<readonly string[]>('probe.texts("article .market")');
      expect([listed[0], listed[20]]).toEqual([
        `Will measure ${published} pass in the next session?`,
        newest,
      ]);
      expect(await ask(`${PILL} === null && !document.title.startsWith('(')`)).toBe(true);
    },
  );

  test.for([390, 1_440])(
    'a sale and a settlement change their rows in place, also rows that waiting alerts pushed to the next page, at %i px',
    async (width) => {
      await open('/', width);
      const [read, sold, settled] = [published - 5, published - 6, published - 7];
      const before = await scrollTo(read);
      await select(read);
      await publish(20);
      await tab.until(`${PILL}?.textContent === '20 new alerts'`);
      await ask(`window.shown = [${ROW(settled)}, ${ROW(settled)}.querySelector('.trade a')]`);
      const at = site.now() - VISIBLE_MS;
      exits += 1;
      const exit = exitOf({ number: exits, ...facts(sold), createdAt: at, threadId: sold, alertIds: [sold] });
      await site.sell(exit);
      await tab.until(`${ROW(sold)}.querySelector('.notes')?.textContent === 'sold 60 % at 71¢'`);
      await settle(settled);
      await tab.until(`${ROW(settled)}.querySelector('.price').textContent.includes('Right')`);
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
        await open(path, width);
        await publish(1);
        await tab.until(`${PILL}?.textContent === '1 new alert'`);
        expect(await tab.examine(width === 390), path).toEqual([]);
        expect(await ask(COVERED), path).toEqual([]);
        expect(await ask('probe.shift()'), path).toBe(0);
        await tab.page.focus('[role="status"] button');
        await tab.page.keyboard.press('Enter');
        expect(await ask(`${ROW(published)} !== null`), path).toBe(true);
        expect(await ask('document.activeElement === document.querySelector("article a")'), path).toBe(true);
      }
    },
  );

  test('back and forward lead to the row that was read, also after the pill was used, and on a page that begins with the alerts that waited', async () => {
    const session = await tab.page.createCDPSession();
    const reasons: unknown[] = [];
    session.on('Page.backForwardCacheNotUsed', (event) => reasons.push(...event.notRestoredExplanations));
    await session.send('Page.enable');
    await open('/');
    await publish(3);
    await tab.until(`${PILL}?.textContent === '3 new alerts'`);
    await tab.page.click('[role="status"] button');
    const read = published - 12;
    const top = `${ROW(read)}.getBoundingClientRect().top`;
    await scrollTo(read);
    const before = await ask(top);
    await publish(4);
    await tab.until(`${PILL}?.textContent === '4 new alerts'`);
    await Promise.all([tab.page.waitForNavigation(), tab.page.click(`#alert-${read}-row a`)]);
    await go(-1, '/');
    expect(await ask(`${ROW(published)} !== null`)).toBe(true);
    expect(await ask(top)).toBe(before);
    await go(1, `/alerts/${read}`);
    await go(-1, '/');
    expect(await ask(top)).toBe(before);
    // This browser keeps no pages, but nothing of ours is a reason.
    expect(reasons).not.toEqual([]);
    expect(reasons.filter((reason) => (reason as { type: string }).type !== 'Circumstantial')).toEqual([]);
  });

  test('a page that the browser has kept for the way back is left as it was, and follows the service again', async () => {
    await open('/');
    const before = await scrollTo(published - 12);
    await ask(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
    await publish(2);
    await expect.poll(() => isListed(published)).toBe(true);
    expect(await ask(`${PILL} === null`)).toBe(true);
    await ask(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await tab.until(`${PILL}?.textContent === '2 new alerts'`);
    expect(await ask(SEEN)).toEqual(before);
  });

  test.for([390, 1_440])(
    'new markets and positions wait above their lists too, and a market that is settled names its winner in place, at %i px',
    async (width) => {
      await open('/markets?sort=usdc', width);
      const first = await ask<string>(`document.querySelector('.market-row').id`);
      const before = await ask(SEEN);
      await publish(2, { usdc: width * 1_000 });
      await tab.until(`${PILL}?.textContent === '2 new markets'`);
      await settle(Number(/\d+$/.exec(first)?.[0]));
      await tab.until(`document.getElementById('${first}').textContent.includes('Yes won')`);
      expect(await ask(SEEN)).toEqual(before);
      await tab.page.click('[role="status"] button');
      const top = await ask<readonly string[]>(
        `[...document.querySelectorAll('.market-row')].map(({ id }) => id)`,
      );
      expect(top.slice(0, 2).toSorted()).toEqual([published - 1, published].map((id) => `market-0xm${id}`));

      const { wallet } = facts(published);
      await open(`/wallets/${wallet}`, width);
      const positions = await ask(SEEN);
      await publish(1, { wallet });
      await tab.until(`${PILL}?.textContent === '1 new position'`);
      expect(await ask(SEEN)).toEqual(positions);
      await tab.page.click('[role="status"] button');
      expect(await ask(`probe.texts('.position h3')[0]`)).toContain(`measure ${published} `);
    },
  );

  test.for([
    ['/', 'alert'],
    ['/?sort=strongest', 'alert'],
    ['/?sort=win', 'alert'],
    ['/?category=politics&min_signal=60', 'alert'],
    ['/markets?sort=usdc', 'market'],
    ['/wallets', 'position'],
  ] as const)('%s counts a new %s while it is open, and shows it', async ([path, what]) => {
    await open(path);
    await publish(1, outstanding());
    await tab.until(`${PILL}?.textContent === '1 new ${what}'`);
    await tab.page.click('[role="status"] button');
    expect(await ask(`document.querySelector('main').textContent`)).toContain(`measure ${published} `);
  });

  test.for([390, 800, 1_440])(
    'the pages of an alert, its market and its wallet say its result while they are open, at once or in a pill where that would move something, at %i px',
    async (width) => {
      const result = `/100¢|Right/.test(document.querySelector('main').textContent)`;
      for (const name of ['alert', 'market', 'wallet'] as const) {
        await publish(1);
        const { eventSlug, wallet } = facts(published);
        const path = {
          alert: `alerts/${published}`,
          market: `markets/${eventSlug}`,
          wallet: `wallets/${wallet}`,
        };
        await open(`/${path[name]}`, width);
        expect(await ask(result), name).toBe(false);
        const before = await ask(SEEN);
        await settle(published);
        await tab.until(`${result} || ${PILL}?.textContent === 'Show what changed'`);
        expect(await ask(SEEN), name).toEqual(before);
        await (await tab.page.$('[role="status"] button'))?.click();
        expect(await ask(`${result} && ${PILL} === null`), name).toBe(true);
      }
    },
  );

  test('the page of the status says when it was made, again after each change', async () => {
    await open('/status');
    const made = `document.querySelector('.state p:last-child time').dateTime`;
    await ask(`window.before = ${made}`);
    await publish(1);
    await tab.until(`${made} > before`);
  });

  test.for([390, 1_440])(
    'the age of an alert goes on, and its text and what is beside it stay where they are, at %i px',
    async (width) => {
      await open('/', width);
      const row = ROW(published);
      const publishedAt = `Date.parse(${row}.querySelector('time').dateTime)`;
      /** The age, and where the text before it begins. */
      const agedBy = (minutes: number) =>
        ask<readonly [string, number]>(`(() => {
        const at = ${publishedAt} + ${minutes} * 60_000;
        Date.now = () => at;
        dispatchEvent(new PageTransitionEvent('pageshow'));
        const range = document.createRange();
        range.selectNodeContents(${row}.querySelector('.when').firstChild);
        return [${row}.querySelector('time').textContent, range.getBoundingClientRect().left];
      })()`);
      const [ages, places]: [string[], Set<number>] = [[], new Set()];
      for (const minutes of [0, 9, 59, 60, 47 * 60]) {
        const [age, left] = await agedBy(minutes);
        ages.push(age);
        places.add(left);
      }
      expect(ages).toEqual(['now', '9 min ago', '59 min ago', '1 h ago', '47 h ago']);
      expect(places.size).toBe(1);
    },
  );

  test('a chart that shows the price of a point is kept while its page changes, and made again afterwards', async () => {
    await open(`/markets/${facts(CHARTED).eventSlug}`);
    const chart = 'document.querySelector("price-chart")';
    const readout = `${chart}.querySelector('.readout').textContent`;
    await tab.page.focus('price-chart input');
    await tab.page.keyboard.press('Home');
    const shown = await ask<string>(readout);
    await ask(`window.shown = ${chart}`);
    await publish(1, { ...facts(CHARTED), wallet: facts(1_000).wallet });
    await tab.until(`document.querySelector('#state').textContent.includes('2 alerts')`);
    expect(await ask(`[shown.isConnected, ${readout}]`)).toEqual([true, shown]);
    await ask('document.activeElement.blur()');
    await publish(1, { ...facts(CHARTED), wallet: facts(1_001).wallet });
    await tab.until(`${chart}.querySelector('[data-ids~="${published}"], [href$="/${published}"]') !== null`);
    expect(await ask('shown.isConnected')).toBe(false);
  });

  test('a link that has the focus keeps it when a row comes above it', async () => {
    await open(`/markets/${facts(CHARTED).eventSlug}`);
    const [first, second] = [CHARTED, 2_000].map((id) => `#tables [href="/wallets/${facts(id).wallet}"]`);
    await ask(`document.querySelector('${first}').focus()`);
    // What it would move is below the window.
    await ask(`document.querySelector('${first}').scrollIntoView({ block: 'end' })`);
    await publish(1, { ...facts(CHARTED), wallet: facts(2_000).wallet, usdc: 1_000_000 });
    await tab.until(`document.querySelector('${second}') !== null`);
    expect(await ask(`document.activeElement.matches('${first}')`)).toBe(true);
  });
});
