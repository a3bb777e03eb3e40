import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/core/database/database.ts';
import type { MemoryUse } from '../../src/core/detection/detector-memory.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/core/duration.ts';
import { openDatabase } from '../../src/infra/database.ts';
import { AS_MEASURED } from '../../test/support/market/market-profile.ts';
import { type MarketStandIn, startMarket } from '../../test/support/market/start-market.ts';
import { createTapeClock, type TapeClock } from '../../test/support/market/tape-clock.ts';
import { LEAST_AMOUNT } from '../../test/support/market/v2-trades.ts';
import { type SoakedProcess, startSoaked } from '../bench/live/soaked-process.ts';
import { createTakenTrades, type TakenTrades, type Tally } from '../bench/live/taken-trades.ts';
import { START } from './generated-volume.ts';
import { volumeTape } from './volume-tape.ts';

const SAMPLES_AN_HOUR = 4;
const LOOK_EVERY_MS = 250;
/** Tape time in which the last trades come in. */
const AFTER_MS = 3 * MINUTE_MS;
/** Tape time to wait for missing trades: a sweep finds a row listed late, an order waits for its wallet. */
const PATIENCE_MS = 40 * MINUTE_MS;
const NAMED_MOST = 20;
const ALERTS_MOST = 200_000;

/** What was measured at a moment of the tape. */
export interface ServiceSample {
  readonly hour: number;
  readonly heapMb: number;
  readonly residentMb: number;
  readonly processorShare: number;
  readonly memory: MemoryUse | null;
  readonly snapshotBytesPerSecond: number;
  /** Largest delay of the last confirmed moment since the last sample, in milliseconds of the tape. */
  readonly lagMs: number;
  /** Rows in the journal. */
  readonly rows: number;
}

export interface ServiceSoaked {
  /** Trades that the market's list has, and how often they were taken. */
  readonly listed: number;
  readonly taken: Tally;
  /** Trades of less than 0.01 shares, which the market's list omits: the streams alone have them. */
  readonly unlisted: Tally;
  /** Time of the last trade that was waited for, in tape time after the end. */
  readonly waitedMs: number;
  /** The first missing trades, with their time in seconds after the start of the tape. */
  readonly missing: readonly { readonly index: number; readonly second: number }[];
  readonly alerts: number;
  readonly blindWindows: number;
  readonly journalMb: number;
}

export interface ServiceSoak {
  readonly hours: number;
  /** Times the tape's own pace. */
  readonly speed: number;
  readonly folder: string;
  onSample(sample: ServiceSample): void;
}

interface Stage extends ServiceSoak {
  readonly clock: TapeClock;
  readonly market: MarketStandIn;
  readonly database: Database;
  readonly soaked: SoakedProcess;
  readonly taken: TakenTrades;
  readonly isListed: (index: number) => boolean;
}

/** The whole service on SQLite, on the market simulator as the market was measured, from an empty database. */
export async function soakService(soak: ServiceSoak): Promise<ServiceSoaked> {
  const tape = volumeTape(soak.hours);
  const clock = createTapeClock({ time: START, speed: 0 });
  const market = await startMarket({ tape, clock, profile: AS_MEASURED });
  market.view.wallet('');
  const url = `sqlite:${soak.folder}/soak.db`;
  const database = await openDatabase(url);
  clock.runAt(soak.speed);
  const settings = {
    DATABASE_URL: url,
    MARKET_SOURCE: 'polymarket',
    ROLES: 'ingest,api',
    PUBLIC_REQUESTS_PER_MINUTE: '0',
  };
  const soaked = await startSoaked({ ...settings, ...market.settings }, clock);
  const stage: Stage = {
    ...soak,
    clock,
    market,
    database,
    soaked,
    taken: createTakenTrades(database, tape.count),
    isListed: (index) => tape.trade(index).size >= LEAST_AMOUNT,
  };
  try {
    await sampled(stage);
    const waitedMs = await untilTaken(stage, START + soak.hours * HOUR_MS);
    await soaked.service.end('SIGTERM');
    const missing = stage.taken
      .missing(NAMED_MOST, stage.isListed)
      .map((index) => ({ index, second: tape.timeOf(index) - START / 1_000 }));
    return { ...(await outcomeOf(stage)), waitedMs, missing };
  } finally {
    await soaked.service.end('SIGKILL');
    await database.close();
    await market.close();
  }
}

async function sampled(stage: Stage): Promise<void> {
  const { hours, soaked, clock, taken, onSample } = stage;
  let written = 0;
  let processor = 0;
  let at = START;
  for (let n = 1; n <= hours * SAMPLES_AN_HOUR; n++) {
    const lagMs = await lagUntil(stage, START + (n * HOUR_MS) / SAMPLES_AN_HOUR);
    const seconds = (clock.now() - at) / 1_000;
    at = clock.now();
    const measured = await soaked.measure();
    await taken.read();
    const bytes = await snapshotBytes(soaked);
    onSample({
      hour: n / SAMPLES_AN_HOUR,
      heapMb: (measured.heap + measured.buffers) / 2 ** 20,
      residentMb: measured.resident / 2 ** 20,
      processorShare: (measured.processor - processor) / 1e6 / seconds,
      memory: await memoryOf(soaked),
      snapshotBytesPerSecond: (bytes - written) / seconds,
      lagMs,
      rows: taken.rows,
    });
    written = bytes;
    processor = measured.processor;
  }
}

/** Plays the tape up to the moment. Returns the largest delay of the last confirmed moment. */
async function lagUntil({ clock, database, soaked: { service } }: Stage, until: number): Promise<number> {
  let most = 0;
  while (clock.now() < until) {
    await delay(Math.min(LOOK_EVERY_MS, (until - clock.now()) / clock.speed));
    if (service.child.exitCode !== null)
      throw new Error(`the service ended:\n${service.output().slice(-4_000)}`);
    const position = await database.feedHealth.readPosition();
    if (position !== null) most = Math.max(most, clock.now() - position.confirmedUntil);
  }
  return most;
}

/** Waits until no trade is missing. Returns the duration after the end of the tape, in tape time. */
async function untilTaken(stage: Stage, end: number): Promise<number> {
  const { clock, taken, isListed } = stage;
  for (let until = end + AFTER_MS; ; until = clock.now() + MINUTE_MS) {
    await lagUntil(stage, until);
    await taken.read();
    if (taken.missing(1, isListed).length === 0 || clock.now() > end + PATIENCE_MS) return clock.now() - end;
  }
}

async function snapshotBytes({ address }: SoakedProcess): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(/^tipoff_snapshot_bytes_total (\S+)$/m.exec(text)?.[1]);
}

async function memoryOf({ address }: SoakedProcess): Promise<MemoryUse | null> {
  const { checks } = (await (await fetch(`${address}/readyz`)).json()) as {
    checks: { source: { memory?: MemoryUse } };
  };
  return checks.source.memory ?? null;
}

async function outcomeOf({
  taken,
  isListed,
  database,
  folder,
}: Stage): Promise<
  Pick<ServiceSoaked, 'listed' | 'taken' | 'unlisted' | 'alerts' | 'blindWindows' | 'journalMb'>
> {
  await taken.read();
  const windows = await database.feedHealth.windows({
    since: 0,
    until: Number.MAX_SAFE_INTEGER,
    limit: 1_000,
  });
  const listed = taken.tally(isListed);
  return {
    listed: listed.once + listed.missing + listed.twice,
    taken: listed,
    unlisted: taken.tally((index) => !isListed(index)),
    alerts: (await database.alerts.after(0, ALERTS_MOST)).length,
    blindWindows: windows.length,
    journalMb: journalMb(`${folder}/soak.db`),
  };
}

function journalMb(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  const kept = db.prepare('SELECT sum(length(lines)) AS bytes FROM journal').get();
  db.close();
  return Number(kept?.['bytes']) / 2 ** 20;
}
