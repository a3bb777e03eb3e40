import { statSync } from 'node:fs';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import type { BlindWindow } from '../../../src/core/trades/coverage/blind-window.ts';
import {
  atMost,
  exactly,
  type Figure,
  figure,
  mb,
  percent,
  percentile,
  signedPercent,
  slopeOf,
  whole,
  within,
} from '../figure.ts';
import { heldBytes } from '../process-use.ts';
import { JOURNAL_HOURS, type Sample, type Soaked, SPEED, warmHourOf } from './soak-run.ts';
import { journalOf } from './soak-stage.ts';

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
    figure(
      `trades taken exactly once, in ${hours} hours of tape in ${(seconds / 60).toFixed(1)} minutes`,
      `${whole(taken.once)}; ${taken.missing} missing, ${taken.twice} twice`,
      exactly(taken.once, trades),
    ),
    figure(
      'alerts, and those found more than a minute after their trade',
      `${whole(alerts.length)}, ${late}`,
    ),
    figure(
      'the last confirmed moment behind the clock (tape time), but for the outage',
      `p50 ${secondsOf(percentile(lags, 0.5))}, p99 ${secondsOf(percentile(lags, 0.99))}, at most ${secondsOf(Math.max(...lags))}`,
    ),
    figure('processor time of the service', `${percent(processor)} of a core`),
  ];
}

function memoryFigures(samples: readonly Sample[], first: Sample, last: Sample): readonly Figure[] {
  const [firstOwn, lastOwn] = [detectorBytes(first), detectorBytes(last)];
  const [firstRest, lastRest] = [held(first) - firstOwn, held(last) - lastOwn];
  const rest = lastRest / firstRest - 1;
  const slope = slopeOf(samples.map((sample) => [sample.hour, held(sample) / MB] as const));
  return [
    figure(`heap and buffers at hour ${first.hour.toFixed(1)}`, `${mb(held(first))} (${holds(first)})`),
    figure(
      `heap and buffers at hour ${last.hour.toFixed(1)}`,
      `${mb(held(last))}, ${signedPercent(held(last) / held(first) - 1)} (${holds(last)})`,
    ),
    figure('the line through all measurements between', `${slope.toFixed(2)} MB an hour`),
    figure(
      'of that the detector’s memory, restored from its snapshot elsewhere: it learns wallets, and fills for 24 hours',
      `${mb(firstOwn)}, then ${mb(lastOwn)}`,
    ),
    figure(
      'all but the detector’s memory',
      `${mb(firstRest)}, then ${mb(lastRest)}, ${signedPercent(rest)}`,
      within(rest, GROWTH),
    ),
    figure('resident memory at both', `${mb(first.resident)}, ${mb(last.resident)}`),
  ];
}

/** Growth: even the least of the second half is more than the most of the first. */
function countFigures(samples: readonly Sample[], first: Sample, last: Sample): readonly Figure[] {
  const half = Math.ceil(samples.length / 2);
  const figures = COUNTED.map((name) => {
    const counts = samples.map(({ objects }) => objects[name] ?? Number.NaN);
    const [most, least] = [Math.max(...counts.slice(0, half)), Math.min(...counts.slice(-half))];
    const all = `${Math.min(...counts)} to ${Math.max(...counts)} throughout`;
    const what = `${name} objects on the heap at both`;
    const value = `${first.objects[name]}, then ${last.objects[name]} (${all})`;
    return figure(what, value, { aim: 'no growth', isMet: least <= most });
  });
  const resources = ({ resources }: Sample) =>
    Object.entries(resources)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ');
  return [...figures, figure('what keeps the loop going at both', `${resources(first)}; ${resources(last)}`)];
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
    figure(
      'requests, connections of streams, faults that struck',
      [requests, streams, faults].map(whole).join(', '),
    ),
    figure(
      `the most asked in any 10 s, as a share of the published limit (${limit})`,
      percent(share),
      atMost(share, HALF, percent),
    ),
    figure(
      `the ${secondsOf(until - from)} without an answer, as recorded`,
      made
        .map(({ startedAt, endedAt, cause }) => `${secondsOf((endedAt ?? until) - startedAt)}, ${cause}`)
        .join('; '),
      { aim: 'recorded', isMet: made.length > 0 },
    ),
    figure(
      `other windows (25 s without a confirmation are ${whole((BLIND_S * 1_000) / SPEED)} ms here)`,
      `${others.length}, ${secondsOf(others.reduce((sum, { startedAt, endedAt }) => sum + (endedAt ?? startedAt) - startedAt, 0))} in all`,
    ),
    figure('windows that are not backfilled at the end', whole(open), exactly(open, 0)),
  ];
}

function storeFigures({ file, rows }: Soaked): readonly Figure[] {
  const kept = journalOf(file);
  return [
    figure(
      `the journal, which keeps ${JOURNAL_HOURS} hours, at the end`,
      `${mb(kept.bytes)}, ${whole(kept.rows)} of ${whole(rows)} rows, ${whole(kept.rows / (kept.bytes / MB))} rows a MB`,
    ),
    figure('the database file at the end', mb(statSync(file).size)),
  ];
}

/** What a detector of its own takes for the state that was saved then. */
function detectorBytes({ chunks }: Sample): number {
  const before = heldBytes();
  const detector = new Detector(DEFAULT_RULES, { isComplete: false });
  detector.restore(chunks ?? []);
  const bytes = heldBytes() - before;
  return detector.time > 0 ? bytes : 0;
}

function held({ heap, buffers }: Sample): number {
  return heap + buffers;
}

function holds({ memory }: Sample): string {
  if (memory === null) return 'it did not say what it holds';
  const { wallets, markets, clusters, fills } = memory;
  return `${whole(wallets)} wallets, ${markets} markets, ${whole(clusters)} windows, ${whole(fills)} fills`;
}

function secondsOf(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
