import { HOUR_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { AS_MEASURED } from '../../test/support/market/market-profile.ts';
import { LEAST_AMOUNT } from '../../test/support/market/v2-trades.ts';
import {
  journalOf,
  measureService,
  openSoakStage,
  playUntil,
  playUntilTaken,
  type SoakStage,
} from '../bench/live/soak-stage.ts';
import { metricAt } from '../bench/service.ts';
import { START } from './generated-volume.ts';
import { volumeTape } from './volume-tape.ts';

const SAMPLES_AN_HOUR = 4;
/** Tape time to wait for missing trades: a sweep finds a row listed late, an order waits for its wallet. */
const PATIENCE_MS = 40 * MINUTE_MS;
const NAMED_MOST = 20;
const ALERTS_MOST = 200_000;

/** What was measured at a moment of the tape. */
export interface ServiceSample extends Pick<Awaited<ReturnType<typeof measureService>>, 'memory'> {
  readonly hour: number;
  readonly heapMb: number;
  readonly residentMb: number;
  readonly processorShare: number;
  readonly snapshotBytesPerSecond: number;
  /** Largest delay of the last confirmed moment since the last sample, in milliseconds of the tape. */
  readonly lagMs: number;
  /** Rows in the journal. */
  readonly rows: number;
}

export interface ServiceSoak {
  readonly hours: number;
  /** Times the tape's own pace. */
  readonly speed: number;
  readonly folder: string;
  onSample(sample: ServiceSample): void;
}

export type ServiceSoaked = Awaited<ReturnType<typeof soakService>>;

/** The whole service on SQLite, on the market simulator as the market was measured, from an empty database. */
export async function soakService({ hours, speed, folder, onSample }: ServiceSoak) {
  const tape = volumeTape(hours);
  const simulator = { profile: AS_MEASURED };
  await using stage = await openSoakStage({ tape, from: START, speed, folder, simulator });
  const { database, service, taken, file } = stage;
  const isListed = (index: number) => tape.trade(index).size >= LEAST_AMOUNT;
  await sampled(stage, hours, onSample);
  const end = START + hours * HOUR_MS;
  const waitedMs = await playUntilTaken(stage, { end, patienceMs: PATIENCE_MS, isListed });
  await service.end('SIGTERM');
  await taken.read();
  const listed = taken.tally(isListed);
  const always = { since: 0, until: Number.MAX_SAFE_INTEGER, limit: 1_000 };
  return {
    /** Trades that the market's list has, and how often they were taken. */
    listed: listed.once + listed.missing + listed.twice,
    taken: listed,
    /** Trades of less than 0.01 shares, which the market's list omits: the streams alone have them. */
    unlisted: taken.tally((index) => !isListed(index)),
    alerts: (await database.alerts.after(0, ALERTS_MOST)).length,
    blindWindows: (await database.feedHealth.windows(always)).length,
    journalMb: journalOf(file).bytes / 2 ** 20,
    /** Time of the last trade that was waited for, in tape time after the end. */
    waitedMs,
    /** The first missing trades, with their time in seconds after the start of the tape. */
    missing: taken
      .missing(NAMED_MOST, isListed)
      .map((index) => ({ index, second: tape.timeOf(index) - START / 1_000 })),
  };
}

async function sampled(stage: SoakStage, hours: number, onSample: ServiceSoak['onSample']): Promise<void> {
  const { address, clock, lags, taken } = stage;
  let written = 0;
  let processor = 0;
  let at = START;
  for (let n = 1; n <= hours * SAMPLES_AN_HOUR; n++) {
    await playUntil(stage, START + (n * HOUR_MS) / SAMPLES_AN_HOUR);
    const seconds = (clock.now() - at) / 1_000;
    at = clock.now();
    const measured = await measureService(stage);
    await taken.read();
    const bytes = await metricAt(address, 'tipoff_snapshot_bytes_total');
    onSample({
      hour: n / SAMPLES_AN_HOUR,
      heapMb: (measured.heap + measured.buffers) / 2 ** 20,
      residentMb: measured.resident / 2 ** 20,
      processorShare: (measured.processor - processor) / 1e6 / seconds,
      memory: measured.memory,
      snapshotBytesPerSecond: (bytes - written) / seconds,
      lagMs: Math.max(0, ...lags.splice(0).map(({ ms }) => ms)),
      rows: taken.rows,
    });
    written = bytes;
    processor = measured.processor;
  }
}
