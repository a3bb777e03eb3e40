import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { createAlertReads } from '../../../src/core/alerts/alert-index/alert-reads.ts';
import type { AlertFilter, AlertStore, PageQuery } from '../../../src/core/alerts/alert-store.ts';
import { type KnownSettlement, resolutionOf } from '../../../src/core/alerts/settlement.ts';
import { enterWithdrawal, type Withdrawal } from '../../../src/core/alerts/withdrawal.ts';
import type { Database } from '../../../src/core/database.ts';
import { ALERT_TYPES } from '../../../src/core/detection/candidate.ts';
import { CATEGORIES } from '../../../src/core/trades/trade.ts';
import { sha256 } from '../../../src/infra/secrets/key-crypto.ts';
import { settleMarket } from '../../support/stored.ts';
import { onEachDatabase } from './each-database.ts';
import { byMarket, naiveHotMarkets, naiveMatching, naiveSearch } from './naive-archive.ts';
import {
  BOUNDS_USDC,
  DAY,
  enterAlerts,
  MARKETS,
  numbered,
  SLUGS,
  settlements,
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

const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ given: fc.array(unnumbered, { maxLength: 6 }) }) },
    { weight: 1, arbitrary: fc.record({ settled: settlements }) },
    { weight: 1, arbitrary: fc.record({ withdrawn: fc.nat(), reason: fc.option(fc.string()) }) },
    { weight: 1, arbitrary: fc.record({ restarts: fc.nat({ max: 1 }) }) },
    { weight: 8, arbitrary: fc.record({ asked: searches, of: fc.nat({ max: 1 }) }) },
  ),
  { minLength: 30, maxLength: 60, size: 'max' },
);

/** Alerts, settlements and withdrawals in the log and in memory. */
class Written {
  #alerts: readonly Alert[] = [];
  readonly #settled: (SettlementStep & KnownSettlement)[] = [];
  readonly #withdrawn: Withdrawal[] = [];
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async append(given: readonly Unnumbered[]): Promise<void> {
    const added = numbered(given, this.#alerts.length + 1);
    this.#alerts = [...this.#alerts, ...(await enterAlerts(this.#database.log, added))];
  }

  async settle(given: SettlementStep): Promise<void> {
    const settlement = { ...given, at: this.#now };
    await settleMarket(this.#database, settlement);
    this.#settled.push(settlement);
  }

  /** One of the alerts, perhaps again. */
  async withdraw(number: number, reason: string | null): Promise<void> {
    const withdrawal = { alertId: 1 + (number % (this.#alerts.length || 1)), at: this.#now, reason };
    await enterWithdrawal({ log: this.#database.log, sha256 }, withdrawal);
    this.#withdrawn.push(withdrawal);
  }

  /** When the last alert was created: no later alert is older. */
  get #now(): number {
    return this.#alerts.at(-1)?.createdAt ?? DAY;
  }

  /** The alerts as they were known at a moment. */
  asOf(moment = Number.POSITIVE_INFINITY): readonly Alert[] {
    return this.#alerts.map((alert) => {
      const last = this.#settled.findLast(({ marketId, at }) => marketId === alert.marketId && at <= moment);
      const first = this.#withdrawn.find(({ alertId, at }) => alertId === alert.id && at <= moment);
      return {
        ...alert,
        resolution: last === undefined ? null : resolutionOf(alert, last),
        withdrawn: first === undefined ? null : { at: first.at, reason: first.reason },
      };
    });
  }
}

type SettlementStep = typeof settlements extends fc.Arbitrary<infer Step> ? Step : never;

onEachDatabase('alert search', (fixture) => {
  test('two processes find what a look at every alert finds, as of any moment, while alerts are added and withdrawn, and markets settled and corrected in between, and after restarts', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const database = await fixture.fresh();
        const written = new Written(database);
        const start = () => createAlertReads({ ...database, pause: async () => {} }).reads;
        const processes = [start(), start()];
        for (const step of taken) {
          if ('given' in step) await written.append(step.given);
          else if ('settled' in step) await written.settle(step.settled);
          else if ('withdrawn' in step) await written.withdraw(step.withdrawn, step.reason);
          else if ('restarts' in step) processes[step.restarts] = start();
          else await compare(processes[step.of] as AlertStore, written, step.asked);
        }
      }),
      { numRuns: 12, interruptAfterTimeLimit: 20_000 },
    );
  });
});

async function compare(
  reads: AlertStore,
  written: Written,
  { filter, page }: { readonly filter: AlertFilter; readonly page: PageQuery },
): Promise<void> {
  const known = written.asOf(filter.asOf);
  const found = naiveSearch(known, filter, page);
  // Others read at the same time.
  const [searched] = await Promise.all([reads.search(filter, page), reads.hotMarkets({ since: DAY }, 1)]);
  expect(searched).toStrictEqual(found);
  expect(await reads.after(0, 1_000)).toStrictEqual(written.asOf());
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
