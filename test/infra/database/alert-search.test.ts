import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { AlertFilter, PageQuery } from '../../../src/core/alerts/alert-store.ts';
import { ALERT_TYPES } from '../../../src/core/detection/candidate.ts';
import { CATEGORIES } from '../../../src/core/trades/trade.ts';
import { ColumnArchive } from '../../../src/infra/database/archive/archive.ts';
import { createArchiveSource } from '../../../src/infra/database/archive/archive-source.ts';
import { ALERTS } from '../../../src/infra/database/stores/alert-rows.ts';
import { createAlertStore } from '../../../src/infra/database/stores/alert-store.ts';
import { settlementOf } from '../../support/alerts.ts';
import { onEachDatabase } from './each-database.ts';
import { byMarket, naiveHotMarkets, naiveMatching, naiveSearch, summaryOf } from './naive-archive.ts';
import {
  BOUNDS_USDC,
  DAY,
  MARKETS,
  numbered,
  resolutions,
  SLUGS,
  TITLES,
  unnumbered,
  WALLETS,
} from './random-alerts.ts';

const moments = fc.integer({ min: -1, max: 25 }).map((seconds) => DAY + seconds * 1000);
const texts = fc.oneof(
  fc.constantFrom(...WALLETS, ...TITLES, ...SLUGS).map((text) => text.toUpperCase()),
  fc.constantFrom('%', '_', '[a-z]', '.*', '$where', '\\', "'", 'ä', 'WILL', '0xaa0', 'nothing like it', ''),
);
type Field = Exclude<keyof AlertFilter, 'afterId' | 'beforeId'>;
/** A new field of a filter does not compile without its values here. */
const values: { readonly [Name in Field]: fc.Arbitrary<NonNullable<AlertFilter[Name]>> } = {
  category: fc.constantFrom(...CATEGORIES.slice(0, 4)),
  categories: fc.subarray(CATEGORIES.slice(0, 4)),
  side: fc.constantFrom('BUY', 'SELL'),
  type: fc.constantFrom(...ALERT_TYPES),
  minUsdc: fc.oneof(fc.constantFrom(...BOUNDS_USDC), fc.double({ noNaN: true, min: -1, max: 5_000 })),
  minPosition: fc.constantFrom(...BOUNDS_USDC),
  isPerBet: fc.constant(true),
  minScore: fc.constantFrom(0, 49.5, 50, 95),
  isResolved: fc.boolean(),
  search: texts,
  wallet: fc.constantFrom(...WALLETS, '0xaa0', 'x'),
  market: fc.constantFrom(...MARKETS, ...SLUGS, '0xm', 'will'),
  since: moments,
  until: moments,
};
const filters: fc.Arbitrary<AlertFilter> = fc.record(values, { requiredKeys: [] });
const DROPPABLE = Object.keys(values).filter((name) => name !== 'since' && name !== 'until');
/** Most filters restrict little, so that there is something to find. */
const filter = fc.tuple(filters, fc.subarray(DROPPABLE)).map(([given, dropped]) => {
  const kept = Object.entries(given).filter(([name]) => !dropped.includes(name));
  return Object.fromEntries(kept) as AlertFilter;
});

const order: fc.Arbitrary<Omit<PageQuery, 'page' | 'pageSize'>> = fc.constantFrom(
  {},
  { isOldestFirst: true },
  { highest: 'score' },
  { highest: 'putInUsdc' },
);
const page: fc.Arbitrary<PageQuery> = fc
  .record({ page: fc.integer({ min: 1, max: 4 }), pageSize: fc.integer({ min: 1, max: 8 }) })
  .chain((window) => order.map((given) => ({ ...window, ...given })));
/** Mostly none: at most 150 alerts are in an archive. */
const cursors = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  fc.record(
    { afterId: fc.nat({ max: 120 }), beforeId: fc.integer({ min: 1, max: 160 }) },
    { requiredKeys: [] },
  ),
);

const searches = fc
  .record({ filter, cursors, page })
  .map(({ filter: given, cursors: bounds, ...search }) => ({ ...search, filter: { ...given, ...bounds } }));

const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ given: fc.array(unnumbered, { maxLength: 6 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({ marketId: fc.constantFrom(...MARKETS), resolution: resolutions }),
    },
    { weight: 1, arbitrary: fc.record({ restarts: fc.nat({ max: 1 }) }) },
    { weight: 8, arbitrary: fc.record({ asked: searches, of: fc.nat({ max: 1 }) }) },
  ),
  { minLength: 30, maxLength: 60, size: 'max' },
);

onEachDatabase('alert search', (fixture) => {
  test('two processes find what a look at every alert finds, in blocks of any size, while alerts are added and resolved in between, and after restarts', async () => {
    const open = await fixture.collections();
    const source = createArchiveSource(open, 2, open);
    const { settlements } = fixture.database;
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 9 }), steps, async (blockSize, taken) => {
        run += 1;
        await open(ALERTS).delete({});
        const start = () => new ColumnArchive(source, { blockSize, blocksPerSegment: 2 });
        const processes = [start(), start()];
        const alerts = createAlertStore(open, open, processes[0] as ColumnArchive);
        let known: Alert[] = [];
        let seq = await settlements.lastSeq();
        for (const step of taken) {
          if ('given' in step) {
            const added = numbered(step.given, known.length + 1).map((alert) => ({
              ...alert,
              key: `${run} ${alert.key}`,
            }));
            for (const alert of added) await alerts.append(alert);
            known = [...known, ...added];
          } else if ('resolution' in step) {
            const { marketId, resolution } = step;
            await alerts.resolveMarket(marketId, () => resolution);
            seq += 1;
            await settlements.put(settlementOf({ marketId, seq }));
            known = known.map((alert) => (alert.marketId === marketId ? { ...alert, resolution } : alert));
          } else if ('restarts' in step) {
            await processes[step.restarts]?.close();
            processes[step.restarts] = start();
          } else {
            const { filter, page } = step.asked;
            const found = naiveSearch(known, filter, page);
            expect(await processes[step.of]?.search(filter, page)).toStrictEqual(found);
            const short = { ...found, alerts: found.alerts.map(summaryOf) };
            expect(await processes[step.of]?.summaries(filter, page)).toStrictEqual(short);
            const all = { ids: known.map(({ id }) => id), marketIds: [...MARKETS, '0xnone'] };
            const { ids = [], markets = [] } = (await processes[step.of]?.matching(filter, all)) ?? {};
            expect({ ids, markets: byMarket(markets) }).toStrictEqual(naiveMatching(known, filter));
            const open = { since: DAY, limit: 3, isResolved: false };
            expect(await processes[step.of]?.hotMarkets(open)).toStrictEqual(naiveHotMarkets(known, open));
            const category = filter.category ?? 'politics';
            const bets = { category, since: DAY + 1_000, until: DAY + 10_000, limit: 3, isPerBet: true };
            expect(await processes[step.of]?.hotMarkets(bets)).toStrictEqual(naiveHotMarkets(known, bets));
          }
        }
        await Promise.all(processes.map((process) => process.close()));
      }),
      { numRuns: 12, interruptAfterTimeLimit: 20_000 },
    );
  });
});
