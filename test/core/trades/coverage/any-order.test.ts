import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BlindWindow } from '../../../../src/core/trades/coverage/blind-window.ts';
import { Coverage } from '../../../../src/core/trades/coverage/coverage.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { createMemoryCoverage } from '../../../support/memory-coverage.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { createUnrulyProcess, Killed, type Rule, unlessKilled } from '../../../support/unruly-store.ts';

const BLIND_MS = 25_000;
/** A source that shows unconfirmed trades counts after so long. */
const SETTLED_MS = 15_000;
/** The store keeps what was confirmed: a new process takes the market to have been seen for 12 s after it. */
const UNTOLD_MS = BLIND_MS + 12_000;
const GOOD: Rule = { waits: [0], dies: null, isLastDone: true };

/** What happens next: time passes, polling confirms or fails, or the process ends well and another begins. */
type Step =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'confirm'; readonly back: number }
  | { readonly kind: 'fail' }
  | { readonly kind: 'fresh' }
  | { readonly kind: 'provisional'; readonly is: boolean }
  | { readonly kind: 'restart'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 1, max: 12_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 1, max: 70_000 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('confirm'), back: fc.integer({ min: 0, max: 90_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('fresh') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('provisional'), is: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('restart'), ms: fc.integer({ min: 0, max: 70_000 }) }),
  },
);

const rule: fc.Arbitrary<Rule> = fc.record({
  waits: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
  dies: fc.option(fc.nat(25)),
  isLastDone: fc.boolean(),
});

/** Plays the steps; after each kill and each restart another process continues with what was stored. */
async function play(steps: readonly Step[], rules: readonly Rule[], { isReopened = true } = {}) {
  const clock = createFakeClock(START);
  const store = createMemoryCoverage();
  const confirmations: number[] = [];
  const kept: number[] = [];
  let processes = 0;
  /** Whether the current process was killed: the outcome of its calls is unknown then. */
  let isKilled = false;

  async function begin(given = rules[processes] ?? GOOD) {
    const process = createUnrulyProcess(given);
    processes += 1;
    isKilled = false;
    const stop = new AbortController();
    const coverage = new Coverage({
      store: noting(process.wrap(store), () => {
        isKilled = true;
      }),
      clock,
      logger: silentLogger,
      metrics: noMetrics,
      oldestWaiting: () => null,
    });
    const isOpen = (await unlessKilled(coverage.open())) !== null;
    const running = isOpen ? coverage.run(stop.signal) : Promise.resolve();
    return { coverage, isOpen, stop: () => stop.abort(), running };
  }

  let current = await begin();
  for (const one of steps) {
    if (one.kind === 'pass') await clock.advance(one.ms);
    else if (one.kind === 'fail') current.coverage.failed('refused');
    else if (one.kind === 'fresh') current.coverage.fresh(clock.now());
    else if (one.kind === 'provisional') current.coverage.provisional(one.is);
    else if (one.kind === 'confirm' && current.isOpen && !isKilled) {
      confirmations.push(clock.now());
      current.coverage.confirmed({ from: clock.now() - one.back, until: clock.now() });
      await new Promise((resolve) => setImmediate(resolve));
    } else if (one.kind === 'restart') {
      current.stop();
      await current.running;
      kept.push((await store.readPosition())?.confirmedUntil ?? START);
      await clock.advance(one.ms);
      current = await begin();
    }
  }
  current.stop();
  await current.running;
  kept.push((await store.readPosition())?.confirmedUntil ?? START);
  if (isReopened) {
    // Whatever became of the others, the last one lives to tell.
    current = await begin(GOOD);
    current.stop();
    await current.running;
  }
  const since = (await store.readPosition())?.since ?? clock.now();
  return { windows: store.all(), confirmations, kept, since, end: clock.now() };
}

function noting<Store extends object>(store: Store, onKilled: () => void): Store {
  return new Proxy(store, {
    get:
      (target, name) =>
      async (...args: unknown[]) => {
        const method = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
        return method(...args).catch((error: unknown) => {
          if (error instanceof Killed) onKilled();
          throw error;
        });
      },
  });
}

function overlapping(windows: readonly BlindWindow[]): readonly BlindWindow[] {
  return windows.filter(({ startedAt }, index) => {
    const before = windows[index - 1];
    return before !== undefined && (before.endedAt ?? Number.POSITIVE_INFINITY) > startedAt;
  });
}

/** What `play` gives without kills, from the definition: when a window lasts, where it begins and what it is called. */
function windowsOf(steps: readonly Step[]) {
  const windows: { startedAt: number; endedAt: number | null; isUnconfirmed: boolean }[] = [];
  let [now, seen, confirmed] = [START, START, START];
  let since: number | null = null;
  const lasting = () => windows.find(({ endedAt }) => endedAt === null);
  function split(at: number, isUnconfirmed: boolean): void {
    const window = lasting();
    if (window === undefined || window.isUnconfirmed === isUnconfirmed) return;
    const startedAt = Math.max(at, window.startedAt);
    if (startedAt === window.startedAt) windows.pop();
    else window.endedAt = startedAt;
    windows.push({ startedAt, endedAt: null, isUnconfirmed });
  }
  function look(): void {
    if (lasting() === undefined && now - seen > BLIND_MS) {
      const startedAt = Math.max(confirmed, windows.at(-1)?.endedAt ?? 0);
      // A piece that ended in the millisecond in which it began gives way to what begins there.
      if (windows.at(-1)?.startedAt === startedAt) windows.pop();
      windows.push({ startedAt, endedAt: null, isUnconfirmed: false });
    }
    if (since !== null && now - since >= SETTLED_MS) split(since, true);
  }
  for (const one of steps) {
    if (one.kind === 'pass') now += one.ms;
    look();
    const window = lasting();
    if (one.kind === 'confirm' || one.kind === 'fresh') seen = now;
    if (one.kind === 'confirm') {
      confirmed = now;
      if (window !== undefined) window.endedAt = now;
    }
    if (one.kind !== 'provisional' || one.is === (since !== null)) continue;
    since = one.is ? now : null;
    if (!one.is) split(now, false);
  }
  return windows;
}

/** A piece of a window begins and ends in the same millisecond, and another window begins there. */
const PIECE_OF_NO_LENGTH: readonly Step[] = [
  { kind: 'provisional', is: true },
  { kind: 'pass', ms: BLIND_MS + 1 },
  { kind: 'provisional', is: false },
  { kind: 'confirm', back: 0 },
  { kind: 'pass', ms: BLIND_MS + 1 },
];

test('without kills, a window lasts from the last confirmation, once nothing was fresh for 25 s, to the next one, in pieces where a source shows unconfirmed trades', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const alive = steps.filter(({ kind }) => kind !== 'restart');
      const { windows } = await play(alive, [], { isReopened: false });

      const found = windows.map(({ startedAt, endedAt, cause }) => ({
        ...{ startedAt, endedAt, isUnconfirmed: cause === 'unconfirmed' },
      }));
      expect(found).toEqual(windowsOf(alive));
    }),
    { numRuns: 100, examples: [[[...PIECE_OF_NO_LENGTH]]] },
  );
});

test('with kills at any call and stops, windows begin where the feed was seen last, never overlap, and none is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.array(rule, { maxLength: 5 }),
      async (steps, rules) => {
        const unlessFresh = steps.filter(({ kind }) => kind !== 'fresh');
        const { windows, confirmations, kept, since, end } = await play(unlessFresh, rules);

        expect(overlapping(windows)).toEqual([]);
        // What only a killed process knew is not known: a window may begin where the store says that it was seen last.
        const starts = new Set([since, ...confirmations, ...kept, ...windows.map(({ endedAt }) => endedAt)]);
        expect(windows.filter(({ startedAt }) => !starts.has(startedAt))).toEqual([]);
        const seen = [since, ...confirmations.filter((at) => at > since), end];
        for (const [index, at] of seen.entries()) {
          const next = seen[index + 1] ?? at;
          if (next - at > UNTOLD_MS) expect(isTold(windows, at, next)).toBe(true);
        }
      },
    ),
    { numRuns: 100 },
  );
});

/** Windows follow one another; between them, and at the end, is at most the time that no window is made for. */
function isTold(windows: readonly BlindWindow[], from: number, until: number): boolean {
  let seen = from;
  for (const { startedAt, endedAt } of windows) {
    const end = endedAt ?? Number.POSITIVE_INFINITY;
    if (end <= from || startedAt >= until) continue;
    if (startedAt - seen > UNTOLD_MS) return false;
    seen = end;
  }
  return until - seen <= UNTOLD_MS;
}
