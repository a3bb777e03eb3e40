import { setTimeout as delay } from 'node:timers/promises';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import type { BlindWindow } from '../../../src/core/trades/coverage/blind-window.ts';
import type { TradeSource } from '../../../src/core/trades/trade.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { type ChainStandIn, startChainNode } from './chain-node.ts';
import { NO_FAULTS, OUTAGES } from './faults.ts';
import { createJournalTally, fillKeyOf } from './journal-tally.ts';
import { AS_MEASURED } from './market-profile.ts';
import type { MarketTape } from './market-tape.ts';
import type { MarketView } from './market-view.ts';
import { type MarketStandIn, startMarket } from './start-market.ts';
import { startServiceAtTapeTime } from './start-service-at-tape-time.ts';
import { createTapeClock, type TapeClock } from './tape-clock.ts';

const LOOK_EVERY_MS = 50;
/** Of the clock, before the first trade. */
const WARM_UP_MS = 20_000;
/** Of the clock, after the last trade: what is listed late, waits for facts or is read back has come by then. */
const PATIENCE_MS = 900_000;

export interface Outage {
  readonly sources: readonly TradeSource[];
  readonly from: number;
  readonly until: number;
}

export interface SourcedRun {
  readonly tape: MarketTape;
  readonly url: string;
  /** Those that are there at all. Polling always is. */
  readonly sources: readonly TradeSource[];
  readonly outages?: readonly Outage[];
  /** The node leaves out every second log, between seconds after the first trade. */
  readonly omission?: Omit<Outage, 'sources'>;
  /** How many times faster than a real one the clock runs. */
  readonly speed: number;
}

export interface SourcedOutcome {
  readonly alerts: readonly Alert[];
  readonly windows: readonly BlindWindow[];
  readonly missing: number;
  readonly twice: number;
  readonly lag: ReturnType<MarketView['listingLag']>;
  /** Seconds after the first trade at which the feed was seen in a state, a second apart. */
  readonly states: readonly { readonly second: number; readonly state: string }[];
}

export async function runSourced(run: SourcedRun): Promise<SourcedOutcome> {
  const { tape, url, sources, speed } = run;
  const startAt = tape.timeOf(0) * 1_000;
  const clock = createTapeClock({ time: startAt - WARM_UP_MS, speed });
  const market = await startMarket({ tape, clock, profile: AS_MEASURED });
  const node = sources.includes('node') ? await startChainNode({ view: market.view, clock }) : null;
  const settings = {
    ...market.settings,
    POLYGON_RPC_URL: node?.wsUrl ?? 'off',
    MARKET_SOURCE: 'polymarket',
    ROLES: 'ingest,api',
    PORT: '0',
    PUBLIC_REQUESTS_PER_MINUTE: '0',
  };
  const service = startServiceAtTapeTime({ ...settings, DATABASE_URL: url }, clock);
  const database = await openDatabase(url);
  try {
    const { address } = await service.logged('listening');
    const watch = { run, clock, market, node, database, address: String(address) };
    const states = await play(watch);
    const tally = createJournalTally(database);
    for (let before = -1, read = 0; read !== before; ) [before, read] = [read, await tally.read()];
    const keys = Array.from({ length: tape.count }, (_, index) => fillKeyOf(tape.trade(index)));
    return {
      alerts: await database.alerts.after(0, 100_000),
      windows: await database.coverage.windows({ since: 0, until: Number.MAX_SAFE_INTEGER, limit: 100 }),
      missing: keys.filter((key) => !tally.counts.has(key)).length,
      twice: [...tally.counts.values()].filter((count) => count > 1).length,
      lag: market.view.listingLag(startAt, tape.timeOf(tape.count - 1) * 1_000),
      states,
    };
  } finally {
    await service.end('SIGTERM');
    await database.close();
    await node?.close();
    await market.close();
  }
}

interface Watch {
  readonly run: SourcedRun;
  readonly clock: TapeClock;
  readonly market: MarketStandIn;
  readonly node: ChainStandIn | null;
  readonly database: Database;
  readonly address: string;
}

/** Lets the tape pass, takes sources away and gives them back, and notes in which states the feed says to be. */
async function play(watch: Watch): Promise<SourcedOutcome['states']> {
  const { run, clock, database } = watch;
  const { tape, outages = [] } = run;
  const startAt = tape.timeOf(0) * 1_000;
  const endAt = Math.max(
    tape.timeOf(tape.count - 1) * 1_000,
    ...outages.map(({ until }) => startAt + until * 1_000),
  );
  const tally = createJournalTally(database);
  const states: { second: number; state: string }[] = [];
  for (let taken = 0; ; taken = await tally.read()) {
    const now = clock.now();
    setOutages(watch, (now - startAt) / 1_000);
    const isDone = taken >= tape.count && now > endAt + 60_000;
    if (isDone || now > endAt + PATIENCE_MS) return states;
    const second = Math.floor((now - startAt) / 1_000);
    if (second > (states.at(-1)?.second ?? -1)) states.push({ second, state: await stateOf(watch) });
    await delay(LOOK_EVERY_MS);
  }
}

function setOutages({ run, market, node }: Watch, second: number): void {
  const down = new Set(
    (run.outages ?? []).flatMap(({ sources, from, until }) =>
      second >= from && second < until ? sources : [],
    ),
  );
  market.faults.script = { ...NO_FAULTS, faults: down.has('polling') ? OUTAGES.trades : [] };
  if (node === null) return;
  node.isOn = !down.has('node');
  const { from, until } = run.omission ?? { from: 0, until: 0 };
  node.manners.omits = (index) => second >= from && second < until && index % 2 === 0;
}

async function stateOf({ address }: Watch): Promise<string> {
  const answer = await fetch(`${address}/api/v1/coverage`);
  const { state } = (await answer.json()) as { state?: string };
  return state ?? `${answer.status}`;
}

export function delaysOf(
  alerts: readonly Alert[],
  { from, until }: { readonly from: EpochMs; readonly until: EpochMs },
): readonly number[] {
  return alerts
    .filter(({ tradedAt }) => tradedAt >= from && tradedAt < until)
    .map(({ tradedAt, detectedAt }) => detectedAt - tradedAt);
}
