import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { readWhole } from '../../../test/support/whole-snapshot.ts';
import { mb } from '../figure.ts';
import { progress } from '../progress.ts';
import { outagesIn, soakFaults } from './soak-faults.ts';
import { measureService, openSoakStage, playUntil, playUntilTaken, type SoakStage } from './soak-stage.ts';
import { soakTape } from './soak-tape.ts';

export const SPEED = 60;
/** The journal is kept for a part of the run, so that pruning is a part of it. */
export const JOURNAL_HOURS = 6;
/** Between two measurements. */
const SHORTEST_HOURS = 0.125;
const WARM_HOURS = 2;
const ALERTS_MOST = 200_000;

/** What was measured at a moment of the tape. */
export type Sample = Awaited<ReturnType<typeof sampleAt>>;

export type Soaked = Awaited<ReturnType<typeof soak>>;

/** From when on a run of so many hours counts. */
export function warmHourOf(hours: number): number {
  return Math.min(WARM_HOURS, hours / 4);
}

/** So many hours of a generated tape through the service, from an empty database in the folder. */
export async function soak(hours: number, folder: string) {
  const tape = soakTape(hours);
  const from = tape.timeOf(0) * 1_000;
  const until = from + hours * HOUR_MS;
  const outages = outagesIn(from, until);
  await using stage = await openSoakStage({
    ...{ tape, from, speed: SPEED, folder, simulator: { faults: soakFaults(outages) } },
    settings: { JOURNAL_HOURS: `${JOURNAL_HOURS}` },
  });
  const { market, database, service, taken, file } = stage;
  const startedAt = performance.now();
  const samples = await sampled(stage, from, hours);
  const seconds = (performance.now() - startedAt) / 1_000;
  await playUntilTaken(stage, { end: until, patienceMs: HOUR_MS });
  await service.end('SIGTERM');
  await taken.read();
  const { rest } = outages;
  return {
    ...{ hours, seconds, samples, outages, file },
    trades: tape.count,
    taken: taken.tally(),
    rows: taken.rows,
    alerts: await database.alerts.after(0, ALERTS_MOST),
    windows: await database.feedHealth.windows({ since: 0, until: until + HOUR_MS, limit: 1_000 }),
    /** Outside of the outage. */
    lags: stage.lags.flatMap(({ at, ms }) => (at >= rest.from && at < rest.until + MINUTE_MS ? [] : [ms])),
    requests: market.requests.total,
    largestShare: market.largestShare(),
    streams: market.streams.connections,
    faults: [...market.faults.struck.values()].reduce((sum, count) => sum + count, 0),
  };
}

/** Every half hour of a day’s tape. */
async function sampled(stage: SoakStage, from: number, hours: number): Promise<readonly Sample[]> {
  const every = Math.max(hours / 48, SHORTEST_HOURS);
  const warm = warmHourOf(hours);
  const samples: Sample[] = [];
  for (let hour = every; hour <= hours + every / 2; hour += every) {
    await playUntil(stage, from + hour * HOUR_MS);
    const isFirst = hour >= warm && !samples.some(({ chunks }) => chunks !== null);
    const sample = await sampleAt(stage, { hour, isKept: isFirst || hour + every / 2 > hours });
    samples.push(sample);
    const { heap, buffers, objects, resources, memory } = sample;
    const lag = Math.max(0, ...stage.lags.slice(-20).map(({ ms }) => ms)) / 1_000;
    progress(
      `hour ${hour.toFixed(1)}: ${mb(heap + buffers)}, ${stage.taken.rows} rows, ${lag.toFixed(1)} s behind, ` +
        `${stage.market.requests.total} requests, ${JSON.stringify(objects)} ${JSON.stringify(resources)} ${JSON.stringify(memory)}`,
    );
  }
  return samples;
}

async function sampleAt(stage: SoakStage, { hour, isKept }: { hour: number; isKept: boolean }) {
  await stage.taken.read();
  const measured = await measureService(stage);
  const snapshot = isKept ? await readWhole(stage.database.ingest, 'polymarket') : null;
  return {
    ...measured,
    /** Hours of tape since the start. */
    hour,
    /** The detector’s snapshot as it was then; null but for the first one that counts, and the last. */
    chunks: isKept ? (snapshot?.chunks ?? []) : null,
  };
}
