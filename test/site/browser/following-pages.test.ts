import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { candidateOf } from '../../support/alerts.ts';
import { ALERTS, facts } from './filled-with-alerts.ts';
import { describeReading, IS_WON, NEWEST, PILL, ROW, SEEN, VISIBLE_MS } from './reading.ts';

await describeReading('an open page follows the service', (reading) => {
  const { site, ask } = reading;

  test('alerts of now, an hour and a week ago have their ages, which go on, also in a row that changes', async () => {
    const agesOf = (...ids: number[]) =>
      `[${ids.map(ROW)}].map((row) => row.querySelector('time').textContent).join()`;
    const ids = [ALERTS, ALERTS - 10, ALERTS - 20] as const;
    await reading.open(NEWEST);
    const [moment, hour, week] = (await ask<string>(agesOf(...ids))).split(',');
    expect([moment, hour]).toEqual(['5 min ago', '1 h ago']);
    expect(week).toMatch(/^(?:\d\d:\d\d UTC|\d{4}-\d\d-\d\d)$/);
    await site.pass(2 * MINUTE_MS);
    await reading.tab.until(`${agesOf(ALERTS)} === '7 min ago'`);
    await reading.publish(1);
    await reading.tab.until(`${PILL}?.textContent === 'Show 1 new'`);
    for (const id of ids) {
      await reading.settle(id);
      await reading.tab.until(IS_WON(id));
    }
    expect(await ask(agesOf(...ids))).toBe(`12 min ago,1 h ago,${week}`);
    await reading.clickPill();
    expect(await ask(agesOf(reading.published, ALERTS))).toBe('5 min ago,12 min ago');
  });

  test.for(['/', '/?category=politics&min_signal=60', '/markets?sort=usdc'])(
    '%s counts what is new while it is open, and shows it',
    async (path) => {
      await reading.open(path);
      await reading.publish(1, outstanding(reading.published + 1));
      await reading.tab.until(`${PILL}?.textContent === 'Show 1 new'`);
      await reading.clickPill();
      expect(await ask(`document.querySelector('main').textContent`)).toContain(
        `measure ${reading.published} `,
      );
    },
  );

  test.for([390, 1_440])(
    'the pages of an alert, its market and its wallet say its result while they are open, at once or in a pill where that would move something, at %i px',
    async (width) => {
      const result = `/100¢|\\b(?:Right|Won)\\b/.test(document.querySelector('main').textContent)`;
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
        if (await ask(`${PILL} !== null`)) await reading.clickPill();
        expect(await ask(`${result} && ${PILL} === null`), name).toBe(true);
      }
    },
  );

  test('a page shows what was published while the service was away', async () => {
    await reading.open(NEWEST);
    reading.published += 1;
    const id = reading.published;
    await site.publish(candidateOf({ key: `w:${id}`, ...facts(id) }));
    await site.restart(VISIBLE_MS);
    await reading.tab.until(`${PILL}?.textContent === 'Show 1 new'`);
    // A reading may have met the service while it was away.
    expect(site.takeProblems().filter((problem) => !problem.includes('ERR_CONNECTION'))).toEqual([]);
  });

  test('a connection that is lost is told, and told no longer once there is an answer', async () => {
    const lost = `document.querySelector('.news span').textContent === 'Connection lost'`;
    await reading.open(NEWEST);
    expect(await ask(lost)).toBe(false);
    const session = await reading.tab.page.createCDPSession();
    const connect = (isOnline: boolean) =>
      session.send('Network.emulateNetworkConditions', {
        offline: !isOnline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
    await connect(false);
    await reading.tab.until(lost);
    expect(await reading.tab.examine(false)).toEqual([]);
    await connect(true);
    await reading.tab.until(`!(${lost})`);
    const problems = site.takeProblems();
    expect(problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  });

  test('a page that is not seen asks for nothing; once it is seen it shows what is new', async () => {
    await reading.open(NEWEST);
    const turn = (isHidden: boolean) =>
      ask(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await turn(true);
    let asked = 0;
    reading.tab.page.on('request', () => {
      asked += 1;
    });
    await ask('new Promise((resolve) => setInterval(resolve, 60_000))');
    expect(asked).toBe(0);
    await reading.publish(1);
    await turn(false);
    await reading.tab.until(`${PILL}?.textContent === 'Show 1 new'`);
  });

  test('what a reading throws is reported', async () => {
    await reading.open(NEWEST);
    await ask(`DOMParser.prototype.parseFromString = () => { throw new Error('unreadable') }`);
    await reading.publish(1);
    await expect.poll(() => site.takeProblems().join()).toContain('unreadable');
    await reading.tab.page.goto('about:blank');
    site.takeProblems();
  });

  test('the page of the status says when it was made, again after each change', async () => {
    await reading.open('/status');
    const made = `document.querySelector('main .panel p:last-child time').dateTime`;
    await ask(`window.before = ${made}`);
    await reading.publish(1);
    await reading.tab.until(`${made} > before`);
  });

  test.for([390, 1_440])(
    'the age of an alert goes on, and its text and what is beside it stay where they are, at %i px',
    async (width) => {
      await reading.open(NEWEST, width);
      const row = ROW(reading.published);
      const publishedAt = `Date.parse(${row}.querySelector('time').dateTime)`;
      /** The age, and where the texts beside it begin. */
      const agedBy = (minutes: number) =>
        ask<readonly [string, string]>(`(() => {
        const at = ${publishedAt} + ${minutes} * 60_000;
        Date.now = () => at;
        document.dispatchEvent(new Event('visibilitychange'));
        const beside = [...${row}.querySelectorAll('p:not(.when)')].map((text) => text.getBoundingClientRect().left);
        return [${row}.querySelector('time').textContent, beside.join()];
      })()`);
      const [ages, places]: [string[], Set<string>] = [[], new Set()];
      for (const minutes of [0, 9, 59, 60, 47 * 60]) {
        const [age, beside] = await agedBy(minutes);
        ages.push(age);
        places.add(beside);
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
