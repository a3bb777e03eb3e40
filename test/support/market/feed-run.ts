import { setTimeout as delay } from 'node:timers/promises';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { type ServiceProcess, startService } from '../service-process.ts';
import type { FaultScript } from './faults.ts';
import { factsOf, judgeDirectly, liveFormOf } from './live-form.ts';
import type { MarketTape, TapeTrade } from './market-tape.ts';
import { type MarketStandIn, startMarket } from './start-market.ts';
import { createTapeClock, type TapeClock } from './tape-clock.ts';

const LOOK_EVERY_MS = 50;
/** Real time in which the service has to take what a step shows. */
const PATIENCE_MS = 60_000;
const SPEED = 20;
/** At the end alerts wait for their markets' outcomes, which are asked for every few minutes. */
const ENDING_SPEED = 100;
const TRADES_A_STEP = 40;

export interface FeedRun {
  /** Of some hours. */
  readonly tape: MarketTape;
  readonly url: string;
  readonly faults: FaultScript;
  /** From 0 to 1; the moments of death. */
  readonly random: () => number;
  readonly kills: number;
}

export interface FeedOutcome {
  readonly alerts: readonly Alert[];
  /** Trades of the tape that were not passed on, and those passed on more than once. */
  readonly missing: number;
  readonly twice: number;
  readonly largestShare: ReturnType<MarketStandIn['largestShare']>;
}

/** Sends the whole tape through the simulator and a service of its own that is killed several times. */
export async function runFeed(run: FeedRun): Promise<FeedOutcome> {
  const { tape, url, faults } = run;
  const clock = createTapeClock({ at: Date.now(), time: tape.timeOf(0) * 1_000 - 60_000, speed: SPEED });
  const market = await startMarket({ tape, clock, faults });
  const database = await openDatabase(url);
  const stage: Stage = { run, clock, market, database, tally: createJournalTally(database), service: null };
  try {
    await startOn(stage);
    await play(stage);
    await settle(stage);
    await stage.service?.end('SIGTERM');
    await stage.tally.read();
    return {
      alerts: await database.alerts.after(0, 100_000),
      missing: missingTrades(stage).length,
      twice: [...stage.tally.counts.values()].filter((count) => count > 1).length,
      largestShare: market.largestShare(),
    };
  } finally {
    await stage.service?.end('SIGKILL');
    await database.close();
    await market.close();
  }
}

interface Stage {
  readonly run: FeedRun;
  readonly clock: TapeClock;
  readonly market: MarketStandIn;
  readonly database: Database;
  readonly tally: ReturnType<typeof createJournalTally>;
  /** In a process of its own, which shares the clock with this one. */
  service: ServiceProcess | null;
}

async function startOn(stage: Stage): Promise<void> {
  const settings = {
    ...{ DATABASE_URL: stage.run.url, MARKET_SOURCE: 'polymarket' },
    ...{ SNAPSHOT_SECONDS: '20', JOURNAL_HOURS: '87600' },
    ...stage.market.settings,
    TAPE_CLOCK: JSON.stringify(stage.clock.reading()),
  };
  const entry = 'test/support/market/service-at-tape-time.ts';
  stage.service = startService(settings, { entry, hasChannel: true });
  await stage.service.logged('ingesting');
  while (!(await hasLooked(stage.database))) await delay(LOOK_EVERY_MS);
}

/** The very first look of a service reaches back one hour only: the clock must not jump before one has succeeded. */
async function hasLooked({ coverage }: Database): Promise<boolean> {
  const position = await coverage.readPosition();
  return position !== null && position.confirmedUntil > position.since;
}

async function play(stage: Stage): Promise<void> {
  const { run, clock, market } = stage;
  const steps = stepsOf(run.tape);
  const killEvery = steps.length / (run.kills + 1);
  let killed = 0;
  for (const [number, until] of steps.entries()) {
    // What the clock shows goes to the service after the market: never is the service ahead of it.
    clock.jumpTo(until);
    const child = stage.service?.child;
    if (child?.connected) child.send(clock.reading(), () => {});
    if (killed < run.kills && number + 1 >= killEvery * (killed + 1)) {
      await delay(run.random() * 800);
      await stage.service?.end('SIGKILL');
      killed += 1;
      await startOn(stage);
    }
    await waitFor(stage, market.view.listedIn(0, until).length);
  }
}

/** The moments the clock jumps to. */
function stepsOf(tape: MarketTape): readonly EpochMs[] {
  const steps: EpochMs[] = [];
  for (let last = TRADES_A_STEP - 1; last < tape.count - 1; last += TRADES_A_STEP)
    steps.push(tape.timeOf(last) * 1_000 + 1_000);
  const lastMarketAt = tape.markets.at(-1)?.at ?? 0;
  const lastTradeAt = tape.timeOf(tape.count - 1);
  return [...steps, lastTradeAt * 1_000 + 1_000, Math.max(lastTradeAt, lastMarketAt) * 1_000 + 60_000];
}

async function waitFor(stage: Stage, trades: number): Promise<void> {
  const { tally, service, database } = stage;
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const taken = await tally.read();
    if (taken >= trades) return;
    if (performance.now() > deadline) {
      const log = service?.output().split('\n').slice(-20).join('\n');
      const position = JSON.stringify(await database.coverage.readPosition());
      const missing = missingTrades(stage)
        .slice(0, 3)
        .map((trade) => JSON.stringify(trade));
      throw new Error(
        `the service took ${taken} of ${trades} trades and no more (${position}); the first of those that are missing:\n` +
          `${missing.join('\n')}\n${log}`,
      );
    }
    await delay(LOOK_EVERY_MS);
  }
}

/** Waits until every expected alert is there and has its outcome, or the time limit ends; the comparison shows what is missing. */
async function settle(stage: Stage): Promise<void> {
  const expected = judgeDirectly(liveFormOf(stage.run.tape), { isComplete: false });
  const outcomes = [...expected.values()].filter(({ resolution }) => resolution !== null).length;
  // Started again: sleepers at the former speed would sleep on, and make no requests meanwhile.
  await stage.service?.end('SIGTERM');
  stage.clock.runAt(ENDING_SPEED);
  await startOn(stage);
  const deadline = performance.now() + PATIENCE_MS / 2;
  while (performance.now() < deadline) {
    const alerts = await stage.database.alerts.after(0, 100_000);
    const settled = alerts.filter(({ resolution }) => resolution !== null).length;
    if (alerts.length >= expected.size && settled >= outcomes) return;
    await delay(2 * LOOK_EVERY_MS);
  }
}

/** The trades of the tape that are not in the journal, oldest first. */
function missingTrades({ run: { tape }, tally }: Stage): readonly TapeTrade[] {
  const trades = Array.from({ length: tape.count }, (_, index) => tape.trade(index));
  return trades.filter((trade) => !tally.counts.has(fillKeyOf(trade)));
}

function fillKeyOf({ transactionHash, asset, proxyWallet, side, size }: TapeTrade): string {
  return [transactionHash, asset, proxyWallet, side, size].join(' ');
}

/** Counts the trades that a service passed on, each by the identity of its fill. */
function createJournalTally({ journal }: Database) {
  const counts = new Map<string, number>();
  let position = 1;
  const take = (line: string) => {
    const row = JSON.parse(line) as Partial<TapeTrade>;
    if (row.side === undefined) return;
    const key = fillKeyOf(row as TapeTrade);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  return {
    counts: counts as ReadonlyMap<string, number>,
    /** Reads what is new; the number of distinct trades so far. */
    async read(): Promise<number> {
      for (const { first, lines } of await journal.from(position, 1_000)) {
        for (const line of lines.slice(Math.max(0, position - first))) take(line);
        position = first + lines.length;
      }
      return counts.size;
    },
  };
}

/** The keys of alerts that one has and the other has not, or has otherwise; empty: the same alerts. */
export function differences(
  alerts: readonly Alert[],
  expected: ReturnType<typeof judgeDirectly>,
  isSame: (a: unknown, b: unknown) => boolean,
): readonly string[] {
  const facts = factsOf(alerts);
  const keys = new Set([...facts.keys(), ...expected.keys()]);
  return [...keys].filter((key) => !isSame(facts.get(key), expected.get(key)));
}
