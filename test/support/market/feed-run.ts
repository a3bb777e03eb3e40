import { setTimeout as delay } from 'node:timers/promises';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import type { FaultScript } from './faults.ts';
import { createJournalTally, fillKeyOf, type JournalTally } from './journal-tally.ts';
import { factsOf, judgeDirectly, liveFormOf } from './live-form.ts';
import type { MarketProfile } from './market-profile.ts';
import type { MarketTape } from './market-tape.ts';
import { type MarketStandIn, startMarket } from './start-market.ts';
import { type ServiceAtTapeTime, startServiceAtTapeTime } from './start-service-at-tape-time.ts';
import { createTapeClock, type TapeClock } from './tape-clock.ts';

const LOOK_EVERY_MS = 50;
/** Real time in which the service has to take what a step shows. */
const PATIENCE_MS = 60_000;
/** A trade more than 24 hours older than a judged one is not judged any more, and a source may show the newest of a step first. */
const LONGEST_STEP_S = 20 * 3_600;
/** The list shows a trade 11 s after it was made. */
const LISTED_AFTER_MS = 15_000;
/** At the end alerts wait for their markets' outcomes, which are asked for every few minutes. */
const ENDING_SPEED = 100;

export interface FeedRun {
  readonly tape: MarketTape;
  readonly url: string;
  readonly faults: FaultScript;
  readonly profile?: Partial<MarketProfile>;
  /** From 0 to 1; the moments of death. */
  readonly random: () => number;
  readonly kills?: number;
  readonly speed?: number;
  readonly tradesAtOnce?: number;
  readonly onStep?: (text: string) => void;
}

export interface FeedOutcome {
  readonly alerts: readonly Alert[];
  /** Trades of the tape that were not passed on, and those passed on more than once. */
  readonly missing: number;
  readonly twice: number;
  readonly largestShare: ReturnType<MarketStandIn['largestShare']>;
  readonly requests: number;
  readonly seconds: number;
  readonly struck: ReadonlyMap<string, number>;
}

/** Sends the whole tape through the simulator and a service of its own that is killed several times. */
export async function runFeed(run: FeedRun): Promise<FeedOutcome> {
  const startedAt = performance.now();
  const { tape, url, faults, profile = {}, speed = 20 } = run;
  const clock = createTapeClock({ time: tape.timeOf(0) * 1_000 - 60_000, speed });
  const market = await startMarket({ tape, clock, faults, profile });
  const database = await openDatabase(url);
  const stage: Stage = { run, clock, market, database, tally: createJournalTally(database), service: null };
  try {
    await startOn(stage);
    await play(stage);
    await settle(stage);
    await stage.service?.end('SIGTERM');
    await stage.tally.read();
    return await outcomeOf(stage, (performance.now() - startedAt) / 1_000);
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
  readonly tally: JournalTally;
  service: ServiceAtTapeTime | null;
}

async function startOn(stage: Stage): Promise<void> {
  const settings = {
    ...{ DATABASE_URL: stage.run.url, MARKET_SOURCE: 'polymarket', ROLES: 'ingest' },
    ...{ SNAPSHOT_SECONDS: '20', JOURNAL_HOURS: '87600' },
    ...stage.market.settings,
  };
  stage.service = startServiceAtTapeTime(settings, stage.clock);
  await stage.service.logged('ingesting');
  while (!(await hasLooked(stage.database))) await delay(LOOK_EVERY_MS);
}

/** The very first look of a service reaches back one hour only: the clock must not jump before one has succeeded. */
async function hasLooked({ coverage }: Database): Promise<boolean> {
  const position = await coverage.readPosition();
  return position !== null && position.confirmedUntil > position.since;
}

/** What the clock shows goes to the service, after the market: never is the service ahead of it. */
function move(stage: Stage, change: () => void): void {
  change();
  stage.service?.tellTime();
}

async function play(stage: Stage): Promise<void> {
  const { run, clock } = stage;
  const { kills = 0, onStep = () => {} } = run;
  const steps = stepsOf(run);
  const killEvery = steps.length / (kills + 1);
  let killed = 0;
  for (const [number, until] of steps.entries()) {
    move(stage, () => clock.jumpTo(until));
    if (killed < kills && number + 1 >= killEvery * (killed + 1)) {
      await delay(run.random() * 800);
      await stage.service?.end('SIGKILL');
      killed += 1;
      await startOn(stage);
    }
    const shown = stage.market.view.listedIn(0, until).length;
    const taken = await waitFor(stage, shown);
    onStep(`step ${number + 1} of ${steps.length}: ${taken} of ${run.tape.count} trades, ${killed} kills`);
  }
}

/**
 * The moments the clock jumps to. Before a long gap it stops where every trade is listed: otherwise a trade whose frame was lost
 * is listed only after the jump, when it is too old to be judged.
 */
function stepsOf({ tape, tradesAtOnce = 600, faults }: FeedRun): readonly EpochMs[] {
  const steps: EpochMs[] = [];
  const delayMs = faults.faults.find(({ kind }) => kind === 'delay')?.byMs ?? 0;
  let from = 0;
  for (let index = 1; index <= tape.count; index++) {
    const isLast = index === tape.count;
    const isFull = index - from >= tradesAtOnce;
    const isLong = !isLast && tape.timeOf(index) - tape.timeOf(from) > LONGEST_STEP_S;
    if (!isLast && !isFull && !isLong) continue;
    steps.push(tape.timeOf(index - 1) * 1_000 + (isLong ? LISTED_AFTER_MS + delayMs : 1_000));
    from = index;
  }
  const lastMarketAt = tape.markets.at(-1)?.at ?? 0;
  steps.push(Math.max(tape.timeOf(tape.count - 1), lastMarketAt) * 1_000 + delayMs + 60_000);
  return steps.sort((a, b) => a - b);
}

async function waitFor({ run: { tape }, tally, service, database }: Stage, trades: number): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const taken = await tally.read();
    if (taken >= trades) return taken;
    if (performance.now() > deadline) {
      const log = service?.output().split('\n').slice(-20).join('\n');
      const position = JSON.stringify(await database.coverage.readPosition());
      const missing = missingTrades(tape, tally)
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

async function outcomeOf(
  { run: { tape }, market, database, tally }: Stage,
  seconds: number,
): Promise<FeedOutcome> {
  return {
    alerts: await database.alerts.after(0, 100_000),
    missing: missingTrades(tape, tally).length,
    twice: [...tally.counts.values()].filter((count) => count > 1).length,
    largestShare: market.largestShare(),
    requests: market.requests.total,
    seconds,
    struck: market.faults.struck,
  };
}

/** The trades of the tape that are not in the journal, oldest first. */
function missingTrades(tape: MarketTape, tally: JournalTally): readonly ReturnType<MarketTape['trade']>[] {
  const trades = Array.from({ length: tape.count }, (_, index) => tape.trade(index));
  return trades.filter((trade) => !tally.counts.has(fillKeyOf(trade)));
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
