import { setTimeout as delay } from 'node:timers/promises';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { Database } from '../../../src/core/database/database.ts';
import type { MemoryUse } from '../../../src/core/detection/detector-memory.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/duration.ts';
import type { BlindWindow } from '../../../src/core/feed-health/blind-window.ts';
import type { EpochMs } from '../../../src/core/trade.ts';
import { openDatabase } from '../../../src/infra/database.ts';
import { type MarketStandIn, startMarket } from '../../../test/support/market/start-market.ts';
import { createTapeClock, type TapeClock } from '../../../test/support/market/tape-clock.ts';
import { readWhole } from '../../../test/support/whole-snapshot.ts';
import { progress } from '../progress.ts';
import type { Measured } from './messages.ts';
import { type Outages, outagesIn, soakFaults } from './soak-faults.ts';
import { soakTape } from './soak-tape.ts';
import { type SoakedProcess, startSoaked } from './soaked-process.ts';
import { createTakenTrades, type TakenTrades } from './taken-trades.ts';

export const SPEED = 60;
/** The journal is kept for a part of the run, so that pruning is a part of it. */
export const JOURNAL_HOURS = 6;
const LOOK_EVERY_MS = 250;
/** Tape time after the last trade in which what waits for facts comes in. */
const AFTER_MS = 3 * MINUTE_MS;
/** Between two measurements. */
const SHORTEST_HOURS = 0.125;
const PATIENCE_MS = 60_000;
const WARM_HOURS = 2;
const ALERTS_MOST = 200_000;

/** What was measured at a moment of the tape. */
export interface Sample extends Measured {
  /** Hours of tape since the start. */
  readonly hour: number;
  /** Null when it did not say. */
  readonly memory: MemoryUse | null;
  /** The detector’s snapshot as it was then; null but for the first one that counts, and the last. */
  readonly chunks: readonly string[] | null;
}

export interface Soaked {
  readonly hours: number;
  readonly seconds: number;
  readonly samples: readonly Sample[];
  readonly outages: Outages;
  readonly trades: number;
  readonly taken: ReturnType<TakenTrades['tally']>;
  readonly rows: number;
  readonly alerts: readonly Alert[];
  readonly windows: readonly BlindWindow[];
  /** How far the last confirmed moment was behind, at each look outside of the outage. Milliseconds of tape. */
  readonly lags: readonly number[];
  readonly requests: number;
  readonly largestShare: ReturnType<MarketStandIn['largestShare']>;
  readonly streams: number;
  readonly faults: number;
  readonly file: string;
}

interface Stage {
  readonly clock: TapeClock;
  readonly market: MarketStandIn;
  readonly database: Database;
  readonly soaked: SoakedProcess;
  readonly taken: TakenTrades;
  readonly from: EpochMs;
  readonly outages: Outages;
  readonly lags: number[];
}

/** From when on a run of so many hours counts. */
export function warmHourOf(hours: number): number {
  return Math.min(WARM_HOURS, hours / 4);
}

/** So many hours of a generated tape through the service, from an empty database in the folder. */
export async function soak(hours: number, folder: string): Promise<Soaked> {
  const tape = soakTape(hours);
  const from = tape.timeOf(0) * 1_000;
  const until = from + hours * HOUR_MS;
  const outages = outagesIn(from, until);
  const clock = createTapeClock({ time: from, speed: 0 });
  const market = await startMarket({ tape, clock, faults: soakFaults(outages) });
  market.view.wallet('');
  const file = `${folder}/soak.db`;
  const database = await openDatabase(`sqlite:${file}`);
  clock.runAt(SPEED);
  const settings = { DATABASE_URL: `sqlite:${file}`, MARKET_SOURCE: 'polymarket', ROLES: 'ingest,api' };
  const more = { JOURNAL_HOURS: `${JOURNAL_HOURS}`, PUBLIC_REQUESTS_PER_MINUTE: '0' };
  const soaked = await startSoaked({ ...settings, ...more, ...market.settings }, clock);
  const taken = createTakenTrades(database, tape.count);
  const stage: Stage = { clock, market, database, soaked, taken, from, outages, lags: [] };
  const startedAt = performance.now();
  try {
    const samples = await sampled(stage, hours);
    const seconds = (performance.now() - startedAt) / 1_000;
    await lookUntil(stage, until + AFTER_MS);
    await untilTaken(stage);
    await soaked.service.end('SIGTERM');
    await taken.read();
    return {
      ...{ hours, seconds, samples, outages, file },
      trades: tape.count,
      taken: taken.tally(),
      rows: taken.rows,
      alerts: await database.alerts.after(0, ALERTS_MOST),
      windows: await database.feedHealth.windows({ since: 0, until: until + HOUR_MS, limit: 1_000 }),
      lags: stage.lags,
      requests: market.requests.total,
      largestShare: market.largestShare(),
      streams: market.streams.connections,
      faults: [...market.faults.struck.values()].reduce((sum, count) => sum + count, 0),
    };
  } finally {
    await soaked.service.end('SIGKILL');
    await database.close();
    await market.close();
  }
}

/** A service that is behind gets the time to come in; patience is real time. */
async function untilTaken({ taken }: Stage): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    await taken.read();
    if (taken.tally().missing === 0 || performance.now() > deadline) return;
    await delay(LOOK_EVERY_MS);
  }
}

/** Every half hour of a day’s tape. */
async function sampled(stage: Stage, hours: number): Promise<readonly Sample[]> {
  const every = Math.max(hours / 48, SHORTEST_HOURS);
  const warm = warmHourOf(hours);
  const samples: Sample[] = [];
  for (let hour = every; hour <= hours + every / 2; hour += every) {
    await lookUntil(stage, stage.from + hour * HOUR_MS);
    const isFirst = hour >= warm && !samples.some(({ chunks }) => chunks !== null);
    const sample = await sampleAt(stage, { hour, isKept: isFirst || hour + every / 2 > hours });
    samples.push(sample);
    const mb = ((sample.heap + sample.buffers) / 2 ** 20).toFixed(1);
    const { rows } = stage.taken;
    const lag = Math.max(0, ...stage.lags.slice(-20)) / 1_000;
    progress(
      `hour ${hour.toFixed(1)}: ${mb} MB, ${rows} rows, ${lag.toFixed(1)} s behind, ` +
        `${stage.market.requests.total} requests, ${JSON.stringify(sample.objects)} ${JSON.stringify(sample.resources)} ${JSON.stringify(sample.memory)}`,
    );
  }
  return samples;
}

async function sampleAt(
  { soaked, database, taken }: Stage,
  { hour, isKept }: { hour: number; isKept: boolean },
): Promise<Sample> {
  await taken.read();
  const measured = await soaked.measure();
  const answer = await fetch(`${soaked.address}/readyz`);
  const { checks } = (await answer.json()) as { checks: { source: { memory?: MemoryUse } } };
  const chunks = isKept ? ((await readWhole(database.ingest, 'polymarket'))?.chunks ?? []) : null;
  return { ...measured, hour, memory: checks.source.memory ?? null, chunks };
}

/** Lets the tape run up to the moment; how far the service is behind meanwhile is noted. */
async function lookUntil({ clock, database, soaked, outages, lags }: Stage, until: EpochMs): Promise<void> {
  const { service } = soaked;
  while (clock.now() < until) {
    await delay(Math.min(LOOK_EVERY_MS, (until - clock.now()) / clock.speed));
    if (service.child.exitCode !== null)
      throw new Error(`the service ended:\n${service.output().slice(-4_000)}`);
    const now = clock.now();
    if (now >= outages.rest.from && now < outages.rest.until + MINUTE_MS) continue;
    const position = await database.feedHealth.readPosition();
    if (position !== null) lags.push(clock.now() - position.confirmedUntil);
  }
}
