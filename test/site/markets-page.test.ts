import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';
import { settleMarket } from '../support/stored.ts';
import { alertAt, minute, partOf, startObserved, WON, wordsOf } from './observed-site.ts';

function on(market: number, given: Partial<Alert> & { readonly id: number }): Alert {
  return alertOf({
    ...{ marketId: `0xm${market}`, eventTitle: `Market ${market}?`, eventSlug: `market-${market}` },
    ...given,
  });
}

async function startWith(...alerts: readonly Alert[]) {
  const server = await startSite();
  await server.append(...alerts);
  await server.clock.jump(FREE_DELAY_MS + MINUTE_MS);
  const read = async (path: string) => (await server.page(path)).text;
  const titles = async (path: string, id: string) =>
    [...partOf(await read(path), id).matchAll(/<bdi>(Market \d)\?<\/bdi>/g)].map(([, title]) => title);
  return { ...server, read, titles };
}

describe('/markets', () => {
  test('has the open markets by alerts or by dollars, as far as alerts are public', async () => {
    const later = START + FREE_DELAY_MS + MINUTE_MS;
    const { read, titles, clock } = await startWith(
      on(1, { id: 1, usdc: 9_000.25 }),
      on(2, { id: 2, usdc: 1_000 }),
      on(2, { id: 3, usdc: 1_000.5, outcome: 'No' }),
      on(3, { id: 4, resolution: WON }),
      on(1, { id: 5, createdAt: later }),
      on(1, { id: 6, createdAt: later }),
      on(4, { id: 7, createdAt: later }),
    );
    expect(await titles('/markets', 'open')).toEqual(['Market 2', 'Market 1']);
    expect(await titles('/markets?sort=usdc', 'open')).toEqual(['Market 1', 'Market 2']);
    expect(wordsOf(partOf(await read('/markets'), 'open'))).toContain(
      'Market 2? 2 bets, $2,001 put in no price yet Market 1? 1 bet, $9,000 put in no price yet',
    );
    await clock.jump(FREE_DELAY_MS);
    expect(await titles('/markets', 'open')).toEqual(['Market 1', 'Market 2', 'Market 4']);
  });

  test('has the price of the outcome that was bought last with its course, and the time to the end', async () => {
    const { read, clock } = await startObserved({
      alerts: [alertAt(0, { id: 1 }), alertAt(1, { id: 2 }, { outcome: 1, price: 0.6 })],
      orders: [{ at: minute(3), price: 0.45 }],
      endsAt: START + 3 * DAY_MS,
    });
    await clock.jump(5 * MINUTE_MS);
    for (const path of ['/markets', '/markets?sort=ends']) {
      const open = partOf(await read(path), 'open');
      expect(wordsOf(open)).toContain('2 bets, $4,000 put in · ends in 2 days No 55¢');
      expect(open).toMatch(
        /<svg class="course"[^>]*aria-hidden="true"><path d="[^"]*M[\d hv.-]+"><\/path><\/svg>/,
      );
    }
    await clock.jump(3 * DAY_MS);
    expect(wordsOf(await read('/markets'))).toContain('2 bets, $4,000 put in · past its stated end No 55¢');
    expect(wordsOf(await read('/markets?sort=ends'))).toContain(
      'No open market with alerts has a stated end in the future.',
    );
  });

  test('names the winner of those that were settled last, also where the market never named its outcomes', async () => {
    const server = await startWith(
      on(1, { id: 1 }),
      on(2, { id: 2 }),
      on(3, { id: 3 }),
      on(4, { id: 4, createdAt: START + 10 * FREE_DELAY_MS }),
    );
    const settled = [
      { marketId: '0xm1', outcomes: ['Ann & Ben', 'Cid'], payouts: [1, 0] },
      { marketId: '0xm2', outcomes: [], payouts: [0, 1] },
      { marketId: '0xm3', payouts: [0.5, 0.5] },
      { marketId: '0xm4' },
    ];
    for (const given of settled) await settleMarket(server.database, { ...given, at: START });
    expect(await server.titles('/markets', 'settled')).toEqual(['Market 3', 'Market 2', 'Market 1']);
    const words = wordsOf(partOf(await server.read('/markets'), 'settled'));
    expect(words).toContain(
      'Market 1? 1 bet, $2,000 put in · settled 2026-01-02 00:00 UTC Ann &amp; Ben won',
    );
    expect(words).toContain('Outcome 2 won');
    expect(words).toContain('Split: Yes 50¢, No 50¢');
  });
});
