import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { untilAborted } from '../../../src/core/base/async/repeat.ts';
import type { Database } from '../../../src/core/database.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { Ingest } from '../../../src/core/ingest/ingest.ts';
import { createJournalledSource } from '../../../src/core/ingest/journalled-source.ts';
import type { LiveFeed, LiveRow } from '../../../src/core/trades/source/source.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { ledgerParts } from '../../support/ledger.ts';
import { liveRow, parseLive } from '../../support/live-rows.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { START } from '../../support/rows.ts';
import { createUnrulyProcess, type Rule } from '../../support/unruly-store.ts';
import { wholeLog } from '../../support/whole-log.ts';

const HOUR = 3_600_000;

/** A moving wall clock: each process lives an hour later than the one before it. */
function createWorld(batches: readonly (readonly LiveRow[])[]) {
  let now = START;
  /** Passes on what the market lists unless it was judged, at the same moment in every life. */
  const feed = (onDone: () => void): LiveFeed => ({
    name: 'polymarket',
    async *batches(signal, knowledge) {
      for (const [index, rows] of batches.entries()) {
        // A wallet's facts come right before its trade, and with it or not at all.
        const isFresh = (live?: LiveRow) => live?.row.kind === 'trade' && !knowledge.hasSeen(live.row.trade);
        const fresh = rows.filter((live, at) => isFresh(live.row.kind === 'wallet' ? rows[at + 1] : live));
        now = acceptedAt(index);
        if (fresh.length > 0) yield fresh;
      }
      onDone();
      await untilAborted(signal);
    },
    status: () => ({ state: 'playing', progress: null, historyProgress: null }),
  });
  return {
    feed,
    clock: {
      now: () => now,
      // A lease need not be renewed in so short a life; all other waits end immediately.
      sleep: (ms: number, signal?: AbortSignal) =>
        ms >= 5_000 && signal !== undefined ? untilAborted(signal) : Promise.resolve(),
    },
    restart() {
      now += 10 * HOUR;
    },
  };
}

/** Trades are dated ahead of some of these moments, so that the ceiling of time decides. */
const acceptedAt = (index: number) => START + index * 20 * 60_000;

interface Life {
  readonly owner: string;
  readonly rule: Rule;
  readonly snapshotEveryMs: number;
}

/** One process over the database, until it is killed or everything is judged. */
async function live(database: Database, world: ReturnType<typeof createWorld>, life: Life): Promise<void> {
  const stop = new AbortController();
  const { wrap } = createUnrulyProcess(life.rule);
  const die = () => stop.abort();
  const ingest = new Ingest({
    openSource: async (checkpoint) =>
      createJournalledSource({
        feed: world.feed(() => stop.abort()),
        journal: wrap(database.journal),
        parse: parseLive,
        checkpoint,
        keepMs: 1e12,
        clock: world.clock,
        logger: { info: () => {}, warn: die },
      }),
    isPaused: () => false,
    sourceName: 'polymarket',
    rules: DEFAULT_RULES,
    ...ledgerParts({
      alerts: wrap(database.alerts),
      resolutions: wrap(database.resolutions),
      log: wrap(database.log),
      feedHealth: wrap(database.feedHealth),
      statements: wrap(database.statements),
    }),
    store: wrap(database.ingest),
    observations: wrap(database.observations),
    clock: world.clock,
    logger: { debug: () => {}, info: () => {}, warn: die, error: die },
    metrics: noMetrics,
    snapshotEveryMs: life.snapshotEveryMs,
    owner: life.owner,
    isGone: () => true,
  });
  await ingest.run(stop.signal);
}

const UNDISTURBED: Rule = { waits: [0], dies: null, isLastDone: false };

/** What an alert says of the trade; when it was found, and so its log entry, differs from life to life. */
const judgement = ({ detectedAt, publishedAt, createdAt, log, ...rest }: Alert) => rest;

async function outcomeOf(database: Database) {
  const alerts = await database.alerts.after(0, 1_000);
  const journal = await database.journal.from(1, 1_000);
  return { alerts: alerts.map(judgement), lines: journal.flatMap(({ lines }) => lines) };
}

/** Big first buys of a few wallets, each a fill of its own. */
const trade = fc.record({ wallet: fc.nat(5), usdc: fc.integer({ min: 400, max: 9_000 }), ahead: fc.nat(59) });
const history = fc.array(fc.array(trade, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 8 });
const death = fc.record({
  dies: fc.nat(60),
  isLastDone: fc.boolean(),
  waits: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
});

function batchesOf(given: readonly (readonly { wallet: number; usdc: number; ahead: number }[])[]) {
  let n = 0;
  return given.map((trades, index) =>
    trades.flatMap(({ wallet, usdc, ahead }) => {
      n += 1;
      const proxyWallet = `0x${String(wallet).padStart(40, '0')}`;
      const timestamp = acceptedAt(index) / 1_000 + ahead * 60;
      const facts = { proxyWallet, createdAt: new Date(START - 2 * HOUR).toISOString(), traded: 0 };
      const line = JSON.stringify(facts);
      const row = parseLive(line, START);
      const known = row === null || n > 6 ? [] : [{ row, line }];
      return [...known, liveRow(n, { proxyWallet, size: usdc * 2, timestamp, conditionId: `0xm${n % 3}` })];
    }),
  );
}

test('killed at any call of a store and started again, it judges each journalled row once and in order', async () => {
  let alertsSeen = 0;
  await fc.assert(
    fc.asyncProperty(
      history,
      fc.array(death, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(0, 30 * 60_000, 1e12),
      async (given, deaths, snapshotEveryMs) => {
        const batches = batchesOf(given);
        const undisturbed = await openDatabase('sqlite::memory:');
        await live(undisturbed, createWorld(batches), { owner: 'one', rule: UNDISTURBED, snapshotEveryMs });
        const database = await openDatabase('sqlite::memory:');
        const world = createWorld(batches);
        const rules = [...deaths, UNDISTURBED];
        for (const [index, rule] of rules.entries()) {
          await live(database, world, { owner: `life ${index}`, rule, snapshotEveryMs });
          world.restart();
        }
        const [wanted, found] = [await outcomeOf(undisturbed), await outcomeOf(database)];
        alertsSeen += wanted.alerts.length;
        expect(found.alerts).toEqual(wanted.alerts);
        const entries = (await wholeLog(database)).filter(({ kind }) => kind === 'alert');
        const heads = (await database.alerts.after(0, 1_000)).map(({ log }) => log);
        expect(entries.map(({ sequence, hash }) => ({ sequence, hash }))).toEqual(heads);
        const isTrade = (line: string) => line.includes('"side"');
        expect(found.lines.filter(isTrade)).toEqual(wanted.lines.filter(isTrade));
        await Promise.all([undisturbed.close(), database.close()]);
      },
    ),
    { numRuns: 24, endOnFailure: true },
  );
  expect(alertsSeen).toBeGreaterThan(30);
});
