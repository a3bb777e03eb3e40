import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { candidateOf } from '../../support/alerts.ts';
import { ALERTS, facts } from './filled-with-alerts.ts';
import { describeReading, PILL, ROW, SEEN } from './reading.ts';

await describeReading('an open page follows the service', (reading) => {
  const { site, ask } = reading;

  test('alerts of now, an hour and a week ago have their ages, which go on, also in a row that changes', async () => {
    const agesOf = (...ids: number[]) =>
      `[${ids.map(ROW)}].map((row) => row.querySelector('time').textContent).join()`;
    const ids = [ALERTS, ALERTS - 10, ALERTS - 20] as const;
    await reading.open('/');
    const [moment, hour, week] = (await ask<string>(agesOf(...ids))).split(',');
    expect([moment, hour]).toEqual(['5 min ago', '1 h ago']);
    expect(week).toMatch(/^\d\d:\d\d UTC$/);
    await site.pass(2 * MINUTE_MS);
    await reading.tab.until(`${agesOf(ALERTS)} === '7 min ago'`);
    await reading.publish(1);
    await reading.tab.until(`${PILL}?.textContent === '1 new alert'`);
    for (const id of ids) {
      await reading.settle(id);
      await reading.tab.until(`${ROW(id)}.querySelector('.price').textContent.includes('Right')`);
    }
    expect(await ask(agesOf(...ids))).toBe(`12 min ago,1 h ago,${week}`);
    await reading.clickPill();
    expect(await ask(agesOf(reading.published, ALERTS))).toBe('5 min ago,12 min ago');
  });

  test.for([
    ['/', 'alert'],
    ['/?sort=strongest', 'alert'],
    ['/?sort=win', 'alert'],
    ['/?category=politics&min_signal=60', 'alert'],
    ['/markets?sort=usdc', 'market'],
  ] as const)('%s counts a new %s while it is open, and shows it', async ([path, what]) => {
    await reading.open(path);
    await reading.publish(1, outstanding(reading.published + 1));
    await reading.tab.until(`${PILL}?.textContent === '1 new ${what}'`);
    await reading.clickPill();
    expect(await ask(`document.querySelector('main').textContent`)).toContain(
      `measure ${reading.published} `,
    );
  });

  test.for([390, 800, 1_440])(
    'the pages of an alert, its market and its wallet say its result while they are open, at once or in a pill where that would move something, at %i px',
    async (width) => {
      const result = `/100¢|Right/.test(document.querySelector('main').textContent)`;
      for (const name of ['alert', 'market', 'wallet'] as const) {
        await reading.publish(1);
        const { eventSlug, wallet } = facts(reading.published);
        const path = {
          alert: `alerts/${reading.published}`,
          market: `markets/${eventSlug}`,
          wallet: `wallets/${wallet}`,
        };
        await reading.open(`/${path[name]}`, width);
        expect(await ask(result), name).toBe(false);
        const before = await ask(SEEN);
        await reading.settle(reading.published);
        await reading.tab.until(`${result} || ${PILL}?.textContent === 'Show what changed'`);
        expect(await ask(SEEN), name).toEqual(before);
        await (await reading.tab.page.$('[role="status"] button'))?.click();
        expect(await ask(`${result} && ${PILL} === null`), name).toBe(true);
      }
    },
  );

  test('the page of the status says when it was made, again after each change', async () => {
    await reading.open('/status');
    const made = `document.querySelector('.state p:last-child time').dateTime`;
    await ask(`window.before = ${made}`);
    await reading.publish(1);
    await reading.tab.until(`${made} > before`);
  });

  test.for([390, 1_440])(
    'the age of an alert goes on, and its text and what is beside it stay where they are, at %i px',
    async (width) => {
      await reading.open('/', width);
      const row = ROW(reading.published);
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
});

/** What puts an alert at the top of every order. */
function outstanding(id: number) {
  const { details } = candidateOf({ key: '' });
  const usdc = 1_000_000 * id;
  return { score: 100, usdc, details: { ...details, marketTotalBought: usdc, toWinUsdc: usdc } };
}
