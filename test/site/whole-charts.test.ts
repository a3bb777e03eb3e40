import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../src/core/base/time/duration.ts';
import { exitOf } from '../support/alerts.ts';
import { START } from '../support/rows.ts';
import { storeExits } from '../support/stored.ts';
import { alertAt, minute, partOf, startObserved, wordsOf } from './observed-site.ts';

const days = (count: number) => minute(count * 24 * 60);
const PAGE = '/markets/will-the-measure-pass';

describe('the chart of an alert goes on to the end', () => {
  test.for([
    ['settled after 90 days', [30, 59, 61, 89], 90],
    ['settled after 200 days, with a sale after 150', [10, 150, 199], 200],
    ['open for 120 days', [61, 119], null],
    ['open, and settled within the 60 days of before', [1, 20], 21],
  ] as const)('%s', async ([, ordered, settledAfter]) => {
    const orders = ordered.map((day, index) => ({ at: days(day), price: 0.41 + index / 100 }));
    const { read, clock } = await startObserved({
      alerts: [alertAt(0, { id: 1 })],
      orders,
      settledAt: settledAfter === null ? null : days(settledAfter),
    });
    const end = days((settledAfter ?? 120) + 1);
    await clock.jump(end - START);
    const last = new Date(days(ordered.at(-1) ?? 0)).toISOString().slice(0, 16).replace('T', ' ');
    const price = wordsOf(partOf(await read('/alerts/1'), 'price'));
    expect(price).toContain(`to ${40 + ordered.length}¢, last ${40 + ordered.length}¢ at ${last} UTC`);
  });
});

const BUYERS = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;

describe('the chart of a market has each of its alerts, and the exits from them', () => {
  /** A mark of several says of how many. */
  const charted = (html: string) => {
    const titles = [...html.matchAll(/<a class="mark[^>]*><title>(?:(\d+) alerts: )?/g)];
    return titles.reduce((sum, [, several = 1]) => sum + Number(several), 0);
  };

  test.for([51, 75, 130])('with %i alerts', async (count) => {
    const alerts = Array.from({ length: count }, (_, index) =>
      alertAt(index, { id: index + 1, wallet: BUYERS(index) }, { outcome: index % 3 === 0 ? 1 : 0 }),
    );
    const { read, database, clock } = await startObserved({ alerts });
    await storeExits(
      database,
      exitOf({
        number: 1,
        wallet: BUYERS(0),
        outcome: 'No',
        outcomeIndex: 1,
        tradedAt: minute(5),
        createdAt: minute(5),
      }),
    );
    await clock.jump(HOUR_MS);
    const html = await read(PAGE);
    expect(charted(html)).toBe(count);
    expect(wordsOf(html)).toContain(`${count} bets`);
    expect(html).toMatch(/class="exit" x/);
    expect(wordsOf(html)).not.toContain('The chart shows the newest');
  });

  test('or say that they have the newest 500', async () => {
    const alerts = Array.from({ length: 520 }, (_, index) =>
      alertAt(index / 10, { id: index + 1, wallet: BUYERS(index) }),
    );
    const { read } = await startObserved({ alerts });
    const html = await read(PAGE);
    expect(charted(html)).toBe(500);
    expect(wordsOf(html)).toContain('The chart shows the newest 500 of 520 alerts.');
  });
});
