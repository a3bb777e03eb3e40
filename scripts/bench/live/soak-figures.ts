import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { MINUTE_MS } from '../../../src/core/duration.ts';
import type { BlindWindow } from '../../../src/core/feed-health/blind-window.ts';
import { type Figure, note, percentile, signedPercent, whole } from '../figure.ts';
import { JOURNAL_HOURS, type Sample, type Soaked, SPEED, warmHourOf } from './soak-run.ts';

const GROWTH = 0.1;
const HALF = 0.5;
/** Nothing confirmed for so long is blind. */
const BLIND_S = 25;
const COUNTED = ['Timeout', 'Listener', 'AbortSignal', 'Promise'];
const MB = 2 ** 20;

export function soakFigures(run: Soaked): readonly Figure[] {
  const samples = run.samples.filter(({ hour }) => hour >= warmHourOf(run.hours));
  const [first, last] = [samples.at(0), samples.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [
    ...taking(run, last),
    ...memoryFigures(samples, first, last),
    ...countFigures(samples, first, last),
    ...marketFigures(run),
    ...storeFigures(run),
  ];
}

function taking(run: Soaked, last: Sample): readonly Figure[] {
  const { hours, seconds, trades, taken, alerts, lags } = run;
  const late = alerts.filter(({ tradedAt, detectedAt }) => detectedAt - tradedAt > MINUTE_MS).length;
  const processor = last.processor / 1e6 / seconds;
  return [
    {
      what: `trades taken exactly once, in ${hours} hours of tape in ${(seconds / 60).toFixed(1)} minutes`,
      value: `${whole(taken.once)}; ${taken.missing} missing, ${taken.twice} twice`,
      aim: whole(trades),
      isMet: taken.once === trades,
    },
    note('alerts, and those found more than a minute after their trade', `${whole(alerts.length)}, ${late}`),
    note(
      'the last confirmed moment behind the clock (tape time), but for the outage',
      `p50 ${secondsOf(percentile(lags, 0.5))}, p99 ${secondsOf(percentile(lags, 0.99))}, at most ${secondsOf(Math.max(...lags))}`,
    ),
    note('processor time of the service', `${(processor * 100).toFixed(0)} % of a core`),
  ];
}

function memoryFigures(samples: readonly Sample[], first: Sample, last: Sample): readonly Figure[] {
  const [firstOwn, lastOwn] = [detectorBytes(first), detectorBytes(last)];
  const [firstRest, lastRest] = [held(first) - firstOwn, held(last) - lastOwn];
  const rest = lastRest / firstRest - 1;
  const slope = leastSquares(samples.map((sample) => [sample.hour, held(sample) / MB] as const));
  return [
    note(`heap and buffers at hour ${first.hour.toFixed(1)}`, `${mb(held(first))} (${holds(first)})`),
    note(
      `heap and buffers at hour ${last.hour.toFixed(1)}`,
      `${mb(held(last))}, ${signedPercent(held(last) / held(first) - 1)} (${holds(last)})`,
    ),
    note('the line through all measurements between', `${slope.toFixed(2)} MB an hour`),
    note(
      'of that the detector’s memory, restored from its snapshot elsewhere: it learns wallets, and fills for 24 hours',
      `${mb(firstOwn)}, then ${mb(lastOwn)}`,
    ),
    {
      what: 'all but the detector’s memory',
      value: `${mb(firstRest)}, then ${mb(lastRest)}, ${signedPercent(rest)}`,
      aim: `within ${GROWTH * 100} %`,
      isMet: Math.abs(rest) <= GROWTH,
    },
    note('resident memory at both', `${mb(first.resident)}, ${mb(last.resident)}`),
  ];
}

/** Growth: even the least of the second half is more than the most of the first. */
function countFigures(samples: readonly Sample[], first: Sample, last: Sample): readonly Figure[] {
  const half = Math.ceil(samples.length / 2);
  const figures = COUNTED.map((name): Figure => {
    const counts = samples.map(({ objects }) => objects[name] ?? Number.NaN);
    const [most, least] = [Math.max(...counts.slice(0, half)), Math.min(...counts.slice(-half))];
    const all = `${Math.min(...counts)} to ${Math.max(...counts)} throughout`;
    return {
      what: `${name} objects on the heap at both`,
      value: `${first.objects[name]}, then ${last.objects[name]} (${all})`,
      aim: 'no growth',
      isMet: least <= most,
    };
  });
  const resources = ({ resources }: Sample) =>
    Object.entries(resources)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ');
  return [...figures, note('what keeps the loop going at both', `${resources(first)}; ${resources(last)}`)];
}

function marketFigures({
  requests,
  largestShare,
  streams,
  faults,
  windows,
  outages,
}: Soaked): readonly Figure[] {
  const { limit, share } = largestShare;
  const { from, until } = outages.rest;
  const isMade = ({ startedAt, endedAt }: BlindWindow) => startedAt < until && (endedAt ?? until) > from;
  const made = windows.filter(isMade);
  const others = windows.filter((window) => !isMade(window));
  const open = windows.filter(({ backfilledAt }) => backfilledAt === null).length;
  return [
    note(
      'requests, connections of streams, faults that struck',
      [requests, streams, faults].map(whole).join(', '),
    ),
    {
      what: `the most asked in any 10 s, as a share of the published limit (${limit})`,
      value: `${Math.round(share * 100)} %`,
      aim: `≤ ${HALF * 100} %`,
      isMet: share <= HALF,
    },
    {
      what: `the ${secondsOf(until - from)} without an answer, as recorded`,
      value: made
        .map(({ startedAt, endedAt, cause }) => `${secondsOf((endedAt ?? until) - startedAt)}, ${cause}`)
        .join('; '),
      aim: 'recorded',
      isMet: made.length > 0,
    },
    note(
      `other windows (25 s without a confirmation are ${whole((BLIND_S * 1_000) / SPEED)} ms here)`,
      `${others.length}, ${secondsOf(others.reduce((sum, { startedAt, endedAt }) => sum + (endedAt ?? startedAt) - startedAt, 0))} in all`,
    ),
    {
      what: 'windows that are not backfilled at the end',
      value: whole(open),
      aim: '0',
      isMet: open === 0,
    },
  ];
}

function storeFigures({ file, rows }: Soaked): readonly Figure[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const kept = db.prepare('SELECT sum(next - first) AS rows, sum(length(lines)) AS bytes FROM journal').get();
  db.close();
  const bytes = Number(kept?.['bytes']);
  const keptRows = Number(kept?.['rows']);
  return [
    note(
      `the journal, which keeps ${JOURNAL_HOURS} hours, at the end`,
      `${mb(bytes)}, ${whole(keptRows)} of ${whole(rows)} rows, ${whole(keptRows / (bytes / MB))} rows a MB`,
    ),
    note('the database file at the end', mb(statSync(file).size)),
  ];
}

/** What a detector of its own takes for the state that was saved then. */
function detectorBytes({ chunks }: Sample): number {
  const before = collected();
  const detector = new Detector(DEFAULT_RULES, { isComplete: false });
  detector.restore(chunks ?? []);
  const bytes = collected() - before;
  return detector.time > 0 ? bytes : 0;
}

function collected(): number {
  if (globalThis.gc === undefined) throw new Error('memory is measured with node --expose-gc');
  for (let round = 0; round < 3; round++) globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** The slope of the line with the least squares. */
function leastSquares(points: readonly (readonly [number, number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return over / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

function held({ heap, buffers }: Sample): number {
  return heap + buffers;
}

function holds({ memory }: Sample): string {
  if (memory === null) return 'it did not say what it holds';
  const { wallets, markets, clusters, fills } = memory;
  return `${whole(wallets)} wallets, ${markets} markets, ${whole(clusters)} windows, ${whole(fills)} fills`;
}

function mb(bytes: number): string {
  return `${(bytes / MB).toFixed(1)} MB`;
}

function secondsOf(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
