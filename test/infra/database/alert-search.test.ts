import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { createAlertReads } from '../../../src/core/alerts/alert-index/alert-reads.ts';
import type { AlertFilter, AlertReads, PageQuery } from '../../../src/core/alerts/alert-store.ts';
import { settlementDraft } from '../../../src/core/alerts/ledger/log-drafts.ts';
import { isSameSettlement, type KnownSettlement, resolutionOf } from '../../../src/core/alerts/settlement.ts';
import type { Database } from '../../../src/core/database.ts';
import { ALERT_TYPES } from '../../../src/core/detection/candidate.ts';
import { CATEGORIES } from '../../../src/core/trades/trade.ts';
import { onEachDatabase } from './each-database.ts';
import { byMarket, naiveHotMarkets, naiveMatching, naiveSearch } from './naive-archive.ts';
import {
  BOUNDS_USDC,
  DAY,
  MARKETS,
  numbered,
  SLUGS,
  TITLES,
  type Unnumbered,
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
  asOf: moments,
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
  .map(({ filter: { asOf, ...given }, cursors: bounds, ...search }) => {
    // Who knows what was known at a moment sees no later alert.
    const moment = asOf === undefined ? {} : { asOf, until: Math.min(asOf, given.until ?? asOf) };
    return { ...search, filter: { ...given, ...bounds, ...moment } };
  });

/** What the two outcomes paid, as it is known when the last alert was created: no later alert is older. */
const settlements = fc.record({
  marketId: fc.constantFrom(...MARKETS),
  payouts: fc.constantFrom([1, 0], [0, 1], [0.5, 0.5]),
});

const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ given: fc.array(unnumbered, { maxLength: 6 }) }) },
    { weight: 1, arbitrary: fc.record({ settled: settlements }) },
    { weight: 1, arbitrary: fc.record({ restarts: fc.nat({ max: 1 }) }) },
    { weight: 8, arbitrary: fc.record({ asked: searches, of: fc.nat({ max: 1 }) }) },
  ),
  { minLength: 30, maxLength: 60, size: 'max' },
);

/** Alerts and settlements in the database and in memory, without the order in which the service writes them. */
class Written {
  known: readonly Alert[] = [];
  readonly settlements: KnownSettlements = new Map();
  readonly #database: Database;
  #last = { seq: 0, sequence: 0, at: DAY };

  constructor(database: Database) {
    this.#database = database;
  }

  async append(given: readonly Unnumbered[]): Promise<void> {
    const added = numbered(given, this.known.length + 1).map((alert) => ({
      ...alert,
      resolution: resultAsOf(alert, this.settlements),
    }));
    for (const alert of added) await this.#database.alerts.append(alert);
    this.known = [...this.known, ...added];
    this.#last = { ...this.#last, at: Math.max(this.#last.at, added.at(-1)?.createdAt ?? DAY) };
  }

  async settle({ marketId, payouts }: SettlementStep): Promise<void> {
    const { alerts, settlements: stored, log } = this.#database;
    const outcomes = ['Yes', 'No'];
    const earlier = this.settlements.get(marketId) ?? [];
    const settlement = { outcomes, payouts, at: this.#last.at };
    if (earlier.some((each) => isSameSettlement(each, settlement))) return;
    const { seq, sequence } = this.#last;
    this.#last = { seq: seq + 1, sequence: sequence + 1, at: settlement.at };
    this.settlements.set(marketId, [...earlier, settlement]);
    this.known = this.known.map((alert) =>
      alert.marketId === marketId ? { ...alert, resolution: resultAsOf(alert, this.settlements) } : alert,
    );
    const head = { sequence: sequence + 1, hash: `${sequence + 1}`.padStart(64, '0'), at: settlement.at };
    const draft = settlementDraft(
      earlier.length === 0 ? 'outcome' : 'correction',
      { marketId, outcomes, payouts },
      head.at,
    );
    await log.append([{ ...draft, ...head, previous: `${sequence}`.padStart(64, '0') }]);
    const counted = await alerts.resolveMarket(marketId, (alert) => resolutionOf(alert, settlement));
    await stored.put({ marketId, seq: seq + 1, outcomes, payouts, ...counted, log: head });
  }

  /** The alerts as they were known at a moment. */
  asOf(moment = Number.POSITIVE_INFINITY): readonly Alert[] {
    return this.known.map((alert) => ({
      ...alert,
      resolution: resultAsOf(alert, this.settlements, moment),
      withdrawn: (alert.withdrawn?.at ?? Number.POSITIVE_INFINITY) <= moment ? alert.withdrawn : null,
    }));
  }
}

type SettlementStep = typeof settlements extends fc.Arbitrary<infer Step> ? Step : never;
type KnownSettlements = Map<string, readonly KnownSettlement[]>;

function resultAsOf(
  alert: Omit<Alert, 'resolution'>,
  settled: KnownSettlements,
  moment = Number.POSITIVE_INFINITY,
) {
  const last = settled.get(alert.marketId)?.findLast(({ at }) => at <= moment);
  return last === undefined ? null : resolutionOf(alert, last);
}

onEachDatabase('alert search', (fixture) => {
  test('two processes find what a look at every alert finds, as of any moment, while alerts are added, and markets settled and corrected in between, and after restarts', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const database = await fixture.fresh();
        const written = new Written(database);
        const start = () => createAlertReads({ ...database, pause: async () => {} }).reads;
        const processes = [start(), start()];
        for (const step of taken) {
          if ('given' in step) await written.append(step.given);
          else if ('settled' in step) await written.settle(step.settled);
          else if ('restarts' in step) processes[step.restarts] = start();
          else await compare(processes[step.of] as AlertReads, written, step.asked);
        }
      }),
      { numRuns: 12, interruptAfterTimeLimit: 20_000 },
    );
  });
});

async function compare(
  reads: AlertReads,
  written: Written,
  { filter, page }: { readonly filter: AlertFilter; readonly page: PageQuery },
): Promise<void> {
  const known = written.asOf(filter.asOf);
  const found = naiveSearch(known, filter, page);
  // Others read at the same time.
  const [searched] = await Promise.all([reads.search(filter, page), reads.hotMarkets({ since: DAY }, 1)]);
  expect(searched).toStrictEqual(found);
  const all = { ids: known.map(({ id }) => id), marketIds: [...MARKETS, '0xnone'] };
  const { ids, markets } = await reads.matching(filter, all);
  expect({ ids, markets: byMarket(markets) }).toStrictEqual(naiveMatching(known, filter));
  const open = { since: DAY, isResolved: false };
  expect(await reads.hotMarkets(open, 3)).toStrictEqual(naiveHotMarkets(written.asOf(), open, 3));
  const category = filter.category ?? 'politics';
  const bets = { category, since: DAY + 1_000, until: DAY + 10_000, isPerBet: true };
  expect(await reads.hotMarkets(bets, 3)).toStrictEqual(naiveHotMarkets(known, bets, 3));
  const until = filter.asOf ?? DAY + 100_000;
  const visible = written.asOf(until).filter(({ createdAt }) => createdAt <= until);
  expect(await reads.stats({ dayStart: DAY, until })).toMatchObject({
    totalAlerts: visible.length,
    totalResolved: visible.filter(({ resolution }) => resolution !== null).length,
    totalWon: visible.filter(({ resolution }) => resolution?.won === true).length,
  });
}
