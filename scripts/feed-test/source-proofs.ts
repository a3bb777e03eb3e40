import { isDeepStrictEqual } from 'node:util';
import type { EpochMs } from '../../src/core/base/time/duration.ts';
import { TRADE_SOURCES, type TradeSource } from '../../src/core/trades/trade.ts';
import { differences } from '../../test/support/market/feed-run.ts';
import { generatedTape, withAccounts } from '../../test/support/market/generated-tape.ts';
import {
  type AlertFacts,
  factsOf,
  judgeDirectly,
  liveFormOf,
  withoutMarkets,
} from '../../test/support/market/live-form.ts';
import type { MarketTape, readRows } from '../../test/support/market/market-tape.ts';
import {
  delaysOf,
  type Outage,
  runSourced,
  type SourcedOutcome,
} from '../../test/support/market/sourced-run.ts';

type Rows = Awaited<ReturnType<typeof readRows>>;

export interface ProofKit {
  readonly seed: number;
  readonly start: number;
  readonly urlOf: (name: string) => string;
  readonly verdict: (text: string, isRight: boolean) => void;
  readonly recordingOf: (name: string) => Promise<Rows>;
}

const PER_SECOND = 6;
/** Seconds of the tape in which the sources settle. */
const SETTLING = 45;

export async function proveLatency({ seed, start, urlOf, verdict }: ProofKit): Promise<void> {
  const seconds = 240;
  const tape = tapeOfSeconds(seconds, { start, seed });
  const span = { from: (start + SETTLING) * 1_000, until: (start + seconds) * 1_000 };
  const ways: readonly (readonly [string, readonly TradeSource[], (lagMs: number) => number])[] = [
    ['polling', ['polling'], (lagMs) => lagMs + 2_500],
    ['node', ['node', 'polling'], () => 3_500],
  ];
  for (const [name, sources, limitOf] of ways) {
    const { alerts, lag } = await runSourced({ tape, url: urlOf(`latency_${name}`), sources, speed: 3 });
    const delays = delaysOf(alerts, span).toSorted((a, b) => a - b);
    const at = (part: number) => delays[Math.floor(delays.length * part)] ?? Number.NaN;
    const limit = limitOf(lag.p50);
    verdict(
      `${name}: trade to alert p50 ${at(0.5)} ms, p95 ${at(0.95)} ms over ${delays.length} alerts ` +
        `(limit ${limit} ms; the list's own lag p50 ${lag.p50} ms)`,
      at(0.5) <= limit,
    );
  }
}

/** Removes each source, and both, for three minutes each. */
export async function proveOutages({ seed, start, urlOf, verdict, recordingOf }: ProofKit): Promise<void> {
  const seconds = 360;
  const tape = tapeOfSeconds(seconds, { start, seed });
  const expected = judgeDirectly(liveFormOf(tape), { isComplete: false });
  for (const down of subsets(TRADE_SOURCES)) {
    const name = `without_${down.join('_')}`;
    const outage: Outage = { sources: down, from: 60, until: 240 };
    const span = { from: (start + outage.from) * 1_000, until: (start + outage.until) * 1_000 };
    const outcome = await runSourced({
      tape,
      url: urlOf(name),
      sources: TRADE_SOURCES,
      outages: [outage],
      speed: 8,
    });
    const { alerts, missing, twice } = outcome;
    console.log(`  without ${down.join(' and ')} for 3 minutes`);
    verdict(
      `${missing} trades missing, ${twice} delivered twice, of ${tape.count}`,
      missing === 0 && twice === 0,
    );
    verdict(...sightOf(whileOpen(outcome, { start, seconds }), outage));
    const recording = await recordingOf(name);
    const recorded = judgeDirectly(recording, { isComplete: false });
    const unlike = differences(alerts, recorded, isDeepStrictEqual).length;
    verdict(
      `${alerts.length} alerts, ${unlike} unlike those of the recording replayed`,
      alerts.length > 0 && unlike === 0,
    );
    const { byFacts, late, other } = causesOf(
      outcome,
      expected,
      recording,
      down.includes('polling') ? span : null,
    );
    verdict(
      `against a direct replay: ${byFacts} whose wallet's markets of all time were counted while the list of its trades failed, ${late} by a late row, ${other} otherwise`,
      other === 0,
    );
  }
}

const OMISSION_SECONDS = 330;

/** A node that leaves out half of its logs for two minutes, with the other sources and without them for a minute. */
export async function proveOmission({ seed, start, urlOf, verdict }: ProofKit): Promise<void> {
  const tape = tapeOfSeconds(OMISSION_SECONDS, { start, seed });
  const alone: Outage = { sources: ['polling'], from: 90, until: 150 };
  for (const outages of [[], [alone]]) {
    const name = outages.length === 0 ? 'omission_beside_others' : 'omission_alone';
    const outcome = await runSourced({
      ...{ tape, url: urlOf(name), sources: TRADE_SOURCES, outages, speed: 6 },
      omission: { from: 60, until: 180 },
    });
    const { missing, twice } = outcome;
    const { states, windows } = whileOpen(outcome, { start, seconds: OMISSION_SECONDS });
    console.log(`  ${name}: ${changesOf(states)}`);
    verdict(
      `${missing} trades missing, ${twice} delivered twice, of ${tape.count}`,
      missing === 0 && twice === 0,
    );
    const isFilled = windows.every(({ backfilledAt }) => backfilledAt !== null);
    verdict(
      `windows: ${windows.map(({ cause, startedAt, endedAt }) => `${cause} ${((endedAt ?? 0) - startedAt) / 1_000} s`).join(', ') || 'none'}`,
      isFilled && windows.length === outages.length,
    );
    if (outages.length > 0) verdict(...sightOf({ states, windows }, alone));
  }
}

/** States and windows without those of a market that has stopped, which the last trade begins, in its last second. */
function whileOpen(
  { states, windows }: SourcedOutcome,
  { start, seconds }: { readonly start: number; readonly seconds: number },
): Pick<SourcedOutcome, 'states' | 'windows'> {
  return {
    states: states.filter(({ second }) => second < seconds),
    windows: windows.filter(({ startedAt }) => startedAt < (start + seconds - 1) * 1_000),
  };
}

/** `0 s unknown, 12 s live`. */
function changesOf(states: SourcedOutcome['states']): string {
  return states
    .filter(({ state }, at) => state !== states[at - 1]?.state)
    .map(({ second, state }) => `${second} s ${state}`)
    .join(', ');
}

function tapeOfSeconds(seconds: number, given: Pick<ProofKit, 'start' | 'seed'>): MarketTape {
  return withAccounts(generatedTape({ trades: seconds * PER_SECOND, perSecond: PER_SECOND, ...given }));
}

function subsets(sources: readonly TradeSource[]): readonly (readonly TradeSource[])[] {
  return [...sources.map((one) => [one]), sources];
}

/** The states of the feed during an outage, from half a minute after its start. */
function sightOf(
  { states, windows }: Pick<SourcedOutcome, 'states' | 'windows'>,
  { sources, from, until }: Outage,
): [string, boolean] {
  const said = new Set(
    states
      .filter(({ second }) => second >= from + 31 && second < until - 1)
      .map(({ state }) => (state === 'catching_up' ? 'live' : state)),
  );
  const isPolling = !sources.includes('polling');
  // A node that nothing agrees with proves nothing.
  const unproven = sources.length === TRADE_SOURCES.length ? 'blind' : 'unconfirmed';
  const right = isPolling ? 'live' : unproven;
  const isFilled = windows.every(({ backfilledAt }) => backfilledAt !== null);
  return [
    `the feed says ${[...said].join(', ')} (expected ${right}); ${windows.length} windows, ${isFilled ? 'all' : 'NOT all'} backfilled`,
    said.size === 1 && said.has(right) && isFilled,
  ];
}

function causesOf(
  { alerts }: SourcedOutcome,
  expected: ReturnType<typeof judgeDirectly>,
  recording: Rows,
  /** While the list of a wallet's trades failed. */
  uncounted: { readonly from: EpochMs; readonly until: EpochMs } | null,
): Readonly<Record<'byFacts' | 'late' | 'other', number>> {
  const unlike = differences(alerts, expected, isDeepStrictEqual);
  const disordered = disorderedIn(recording);
  const facts = factsOf(alerts);
  const isScored = (key: string) =>
    isDeepStrictEqual(withoutMarkets(facts.get(key)), withoutMarkets(expected.get(key))) ||
    (!facts.has(key) && isWithin(expected.get(key), uncounted));
  const rest = unlike.filter((key) => !isScored(key));
  const late = rest.filter((key) => key.split(':').some((part) => disordered.has(part)));
  return { byFacts: unlike.length - rest.length, late: late.length, other: rest.length - late.length };
}

function isWithin(facts: AlertFacts | undefined, span: { from: EpochMs; until: EpochMs } | null): boolean {
  return facts !== undefined && span !== null && facts.tradedAt >= span.from && facts.tradedAt < span.until;
}

/** Wallets and tokens with a row that came after a newer one: only their alerts can depend on the order. */
function disorderedIn(recording: Rows): ReadonlySet<string> {
  const names = new Set<string>();
  const newest = new Map<string, number>();
  for (const row of recording) {
    if (!('side' in row)) continue;
    for (const name of [String(row['proxyWallet']), String(row['asset'])]) {
      const at = Number(row['timestamp']);
      if (at < (newest.get(name) ?? 0)) names.add(name);
      newest.set(name, Math.max(at, newest.get(name) ?? 0));
    }
  }
  return names;
}
